/** The shapes of the German channel, word for word those of the contract. */
import { type Static, Type } from 'typebox';
import { nullable, oneOf, strictObject } from './schema-parts.ts';

const price = (fuel: string) => nullable.number(`${fuel}, EUR per litre; null = no price.`);
const degrees = (what: string) => Type.Number({ description: `${what}, WGS84 degrees.` });

const GermanStationSchema = strictObject(
  {
    nume: Type.String({ description: 'Name of the station.' }),
    brand: Type.String({ description: 'Brand as the source writes it; empty for an independent station.' }),
    adresa: Type.String({ description: 'Street and number.' }),
    cod_postal: Type.Integer({
      minimum: 1,
      maximum: 99_999,
      description: 'German postcode as a number: 1067 is 01067.',
    }),
    oras: Type.String({ description: 'Town.' }),
    lat: degrees('Latitude'),
    lng: degrees('Longitude'),
    dist_km: Type.Number({ minimum: 0, description: 'Distance from `lat` and `lng` of the answer, km.' }),
    benzina: price('Petrol E5'),
    e10: price('Petrol E10'),
    motorina: price('Diesel'),
    deschis: Type.Boolean({ description: 'Open now.' }),
  },
  'StatieGermania',
);

export const GermanStationsSchema = strictObject(
  {
    status: oneOf(['ok'], 'Always `ok`.'),
    tara: Type.Literal('DE', { description: 'Country.' }),
    moneda: Type.Literal('EUR', { description: 'Currency of the prices.' }),
    sursa: Type.String({ description: 'The source and its licence.' }),
    atribuire: Type.String({ format: 'uri', description: 'Link of the attribution that the licence asks for.' }),
    lat: degrees('Latitude of the point that the source was asked about'),
    lng: degrees('Longitude of the point that the source was asked about'),
    rad_km: Type.Integer({ minimum: 1, maximum: 25, description: 'Radius, whole km.' }),
    nr_statii: Type.Integer({ minimum: 0, description: 'Number of stations in `statii`.' }),
    statii: Type.Array(GermanStationSchema, { description: 'The stations, nearest first.' }),
    generat_la: Type.String({
      format: 'date-time',
      description: 'When the source was asked, UTC; up to 10 minutes ago.',
    }),
  },
  'RaspunsGermania',
);

export type GermanStationJson = Static<typeof GermanStationSchema>;
export type GermanStationsJson = Static<typeof GermanStationsSchema>;
