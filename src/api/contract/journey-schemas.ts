/** The shapes of the route search, word for word those of the contract. */
import { type Static, Type } from 'typebox';
import { FUEL_CODES, oneOf, strictObject } from './schema-parts.ts';

const lat = Type.Number({ minimum: -90, maximum: 90, description: 'Latitude, WGS84 degrees.' });
const lng = Type.Number({ minimum: -180, maximum: 180, description: 'Longitude, WGS84 degrees.' });
const ROAD_FUEL_WORDS = FUEL_CODES.filter((word) => word !== 'adblue');
const fuel = (description: string) => oneOf(ROAD_FUEL_WORDS, description);

const PlaceSchema = strictObject({ name: Type.String({ description: 'Name of the place.' }), lat, lng }, 'LocTraseu');

const RouteStationSchema = strictObject(
  {
    adresa: Type.String({ description: 'Address; may be empty.' }),
    brand: Type.String({ description: 'Network name.' }),
    oras: Type.String({ description: 'City name, ASCII; may be empty.' }),
    lat,
    lng,
    tip: fuel('Fuel type.'),
    pret: Type.Number({ description: 'Relied-on price, RON per litre.' }),
    dist_ruta: Type.Number({ minimum: 0, description: 'Shortest distance to the way, km, 1 decimal.' }),
  },
  'StatieTraseu',
);

export const JourneySchema = strictObject(
  {
    ok: Type.Unsafe<true>({ type: 'boolean', const: true, description: 'Always true.' }),
    start: PlaceSchema,
    end: PlaceSchema,
    km: Type.Number({ minimum: 0, description: 'Length of the way, 1 decimal.' }),
    duration_min: Type.Integer({ minimum: 0, description: 'Driving time, minutes.' }),
    tip: fuel('The fuel asked for.'),
    statii: Type.Array(RouteStationSchema, { maxItems: 50, description: 'Cheapest first, then nearest to the way.' }),
    total_statii: Type.Integer({ minimum: 0, description: 'Stations found before the cut.' }),
    waypoints: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
      maxItems: 200,
      description: 'The way as `[lat, lng]`, evenly thinned, both ends kept.',
    }),
  },
  'RaspunsTraseu',
);

export const JourneyProblemSchema = strictObject(
  {
    ok: Type.Unsafe<false>({ type: 'boolean', const: false, description: 'Always false.' }),
    msg: Type.String({ description: 'Explanation in Romanian; not part of the contract.' }),
  },
  'EroareTraseu',
);

export type JourneyJson = Static<typeof JourneySchema>;
export type RouteStationJson = Static<typeof RouteStationSchema>;
