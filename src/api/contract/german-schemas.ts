/** The schemas of the German channel, exactly as the contract states them. */
import type { Static } from 'typebox';
import { GERMAN_RADIUS_KM } from '../../domain/german-station.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';
import { countOf, nullable, statusOk, strictObject } from './schema-parts.ts';

const priceInEuros = (fuel: LocalizedText) =>
  nullable.number({
    ro: `${fuel.ro}, EUR pe litru; null = fără preț.`,
    en: `${fuel.en}, EUR per litre; null = no price.`,
  });
const degrees = ({ ro, en }: LocalizedText) =>
  Type.Number(described({ ro: `${ro}, grade WGS84.`, en: `${en}, WGS84 degrees.` }));

const GermanStationSchema = strictObject(
  {
    nume: Type.String(described({ ro: 'Numele stației.', en: 'Name of the station.' })),
    brand: Type.String(
      described({
        ro: 'Marca, așa cum o scrie sursa; goală la o stație independentă.',
        en: 'Brand as the source writes it; empty for an independent station.',
      }),
    ),
    adresa: Type.String(described({ ro: 'Strada și numărul.', en: 'Street and number.' })),
    cod_postal: Type.Integer({
      minimum: 1,
      maximum: 99_999,
      ...described({
        ro: 'Codul poștal german, ca număr: 1067 înseamnă 01067.',
        en: 'German postcode as a number: 1067 is 01067.',
      }),
    }),
    oras: Type.String(described({ ro: 'Localitatea.', en: 'Town.' })),
    lat: degrees({ ro: 'Latitudine', en: 'Latitude' }),
    lng: degrees({ ro: 'Longitudine', en: 'Longitude' }),
    dist_km: Type.Number({
      minimum: 0,
      ...described({
        ro: 'Distanța de la `lat` și `lng` ale răspunsului, km.',
        en: 'Distance from `lat` and `lng` of the answer, km.',
      }),
    }),
    benzina: priceInEuros({ ro: 'Benzină E5', en: 'Petrol E5' }),
    e10: priceInEuros({ ro: 'Benzină E10', en: 'Petrol E10' }),
    motorina: priceInEuros({ ro: 'Motorină', en: 'Diesel' }),
    deschis: Type.Boolean(described({ ro: 'Deschisă acum.', en: 'Open now.' })),
  },
  'StatieGermania',
);

export const GermanStationsSchema = strictObject(
  {
    status: statusOk,
    tara: Type.Literal('DE', described({ ro: 'Țara.', en: 'Country.' })),
    moneda: Type.Literal('EUR', described({ ro: 'Moneda prețurilor.', en: 'Currency of the prices.' })),
    sursa: Type.String(described({ ro: 'Sursa și licența ei.', en: 'The source and its licence.' })),
    atribuire: Type.String({
      format: 'uri',
      ...described({
        ro: 'Linkul pe care licența cere să îl menționați.',
        en: 'The attribution link that the licence requires.',
      }),
    }),
    lat: degrees({
      ro: 'Latitudinea punctului pentru care a fost interogată sursa',
      en: 'Latitude of the point that the source was asked about',
    }),
    lng: degrees({
      ro: 'Longitudinea punctului pentru care a fost interogată sursa',
      en: 'Longitude of the point that the source was asked about',
    }),
    rad_km: Type.Integer({
      minimum: GERMAN_RADIUS_KM.min,
      maximum: GERMAN_RADIUS_KM.max,
      ...described({ ro: 'Raza, în km întregi.', en: 'Radius, whole km.' }),
    }),
    nr_statii: countOf({ ro: 'Câte stații sunt în `statii`.', en: 'Number of stations in `statii`.' }),
    statii: Type.Array(
      GermanStationSchema,
      described({ ro: 'Stațiile, cele mai apropiate primele.', en: 'The stations, nearest first.' }),
    ),
    generat_la: Type.String({
      format: 'date-time',
      ...described({
        ro: 'Când a fost interogată sursa, UTC; cu cel mult 10 minute în urmă sau, când sursa nu poate fi întrebată din nou, cu cel mult o oră.',
        en: 'When the source was asked, UTC; up to 10 minutes ago, or up to an hour when the source may not be asked again yet.',
      }),
    }),
  },
  'RaspunsGermania',
);

export type GermanStationJson = Static<typeof GermanStationSchema>;
export type GermanStationsJson = Static<typeof GermanStationsSchema>;
