/** The schemas of the route search, exactly as the contract states them. */
import type { Static } from 'typebox';
import { ROAD_FUEL_CODES } from '../../domain/fuel-codes.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';
import { countOf, latitude, longitude, oneOf, romanianMessage, strictObject } from './schema-parts.ts';

const fuel = (text: LocalizedText) => oneOf(ROAD_FUEL_CODES, text);

const PlaceSchema = strictObject(
  {
    name: Type.String(described({ ro: 'Numele localității.', en: 'Name of the place.' })),
    lat: latitude,
    lng: longitude,
  },
  'LocTraseu',
  { ro: 'O localitate găsită.', en: 'A place that was found.' },
);

const RouteStationSchema = strictObject(
  {
    adresa: Type.String(described({ ro: 'Adresa; poate fi goală.', en: 'Address; may be empty.' })),
    brand: Type.String(described({ ro: 'Numele rețelei.', en: 'Network name.' })),
    oras: Type.String(
      described({ ro: 'Numele orașului, fără diacritice; poate fi gol.', en: 'City name, ASCII; may be empty.' }),
    ),
    lat: latitude,
    lng: longitude,
    tip: fuel({ ro: 'Carburantul.', en: 'Fuel type.' }),
    pret: Type.Number(described({ ro: 'Preț de încredere, lei pe litru.', en: 'Trusted price, RON per litre.' })),
    dist_ruta: Type.Number({
      minimum: 0,
      ...described({
        ro: 'Cea mai mică distanță până la traseu, km, o zecimală.',
        en: 'Shortest distance to the route, km, 1 decimal.',
      }),
    }),
  },
  'StatieTraseu',
);

export const JourneySchema = strictObject(
  {
    ok: Type.Unsafe<true>({
      type: 'boolean',
      const: true,
      ...described({ ro: 'Mereu true.', en: 'Always true.' }),
    }),
    start: PlaceSchema,
    end: PlaceSchema,
    km: Type.Number({
      minimum: 0,
      ...described({ ro: 'Lungimea traseului, o zecimală.', en: 'Length of the route, 1 decimal.' }),
    }),
    duration_min: countOf({ ro: 'Timpul de mers cu mașina, minute.', en: 'Driving time, minutes.' }),
    tip: fuel({ ro: 'Carburantul cerut.', en: 'The requested fuel.' }),
    statii: Type.Array(RouteStationSchema, {
      maxItems: 50,
      ...described({
        ro: 'Cele mai ieftine primele, apoi cele mai apropiate de traseu.',
        en: 'Cheapest first, then nearest to the route.',
      }),
    }),
    total_statii: countOf({
      ro: 'Câte stații au fost găsite înainte de trunchiere.',
      en: 'Number of stations found before truncation.',
    }),
    waypoints: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      maxItems: 200,
      ...described({
        ro: 'Traseul ca perechi `[lat, lng]`, rărite uniform, cu ambele capete.',
        en: 'The route as `[lat, lng]`, evenly thinned, both ends kept.',
      }),
    }),
  },
  'RaspunsTraseu',
);

export const JourneyProblemSchema = strictObject(
  {
    ok: Type.Unsafe<false>({
      type: 'boolean',
      const: false,
      ...described({ ro: 'Mereu false.', en: 'Always false.' }),
    }),
    msg: romanianMessage,
  },
  'EroareTraseu',
);

export type JourneyJson = Static<typeof JourneySchema>;
export type RouteStationJson = Static<typeof RouteStationSchema>;
