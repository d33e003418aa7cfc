/**
 * The shapes of the API's answers, word for word those of the contract. They make the OpenAPI document and, through
 * `Static`, the types of `contract.ts`: a field cannot be served that is not described, nor the other way round.
 */
import { type Static, type TSchema, Type } from 'typebox';
import {
  DOUBT_CODES,
  FUEL_CODES,
  longPriceFields,
  nullable,
  nullablePrice,
  oneOf,
  shortPriceFields,
  strictObject,
  trueFlag,
} from './schema-parts.ts';

const lat = Type.Number({ minimum: -90, maximum: 90, description: 'Latitude, WGS84 degrees.' });
const lng = Type.Number({ minimum: -180, maximum: 180, description: 'Longitude, WGS84 degrees.' });

const CitySchema = strictObject(
  {
    oras: Type.String({ description: 'City name, ASCII.' }),
    slug: Type.String({ description: 'URL-friendly id of the city.' }),
    judet: Type.String({ description: 'County plate code, e.g. `CJ`.' }),
    lat,
    lng,
    ...shortPriceFields,
  },
  'OrasPreturi',
);

const NetworkSchema = strictObject(
  {
    nume: Type.String({ description: 'Network name.' }),
    slug: Type.String({ description: 'URL-friendly id of the network.' }),
    culoare: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'Brand colour, for user interfaces.' }),
    logo: Type.String({ pattern: '^/', description: 'Path of the logo, relative to the service address.' }),
    ...shortPriceFields,
  },
  'RetePreturi',
);

const BucketSchema = strictObject(
  {
    min: nullablePrice('Lowest relied-on price in the country'),
    mediu: nullablePrice('Mean of the relied-on prices, 2 decimals'),
    max: nullablePrice('Highest relied-on price in the country'),
  },
  'PretNational',
);

const StationSchema = strictObject(
  {
    id: Type.String({ description: 'Stable station identifier; the value to use in the history path.' }),
    brand: Type.String({ description: 'Network name.' }),
    oras: Type.String({ description: 'City name, ASCII; may be empty.' }),
    judet: Type.String({ description: 'County name (not the code), ASCII; may be empty.' }),
    adresa: Type.String({ description: 'Address; may be empty.' }),
    lat,
    lng,
    tip: oneOf(FUEL_CODES, 'Fuel type of the record.'),
    pret: nullablePrice('Price'),
    pret_expirat: trueFlag('Only when true: withdrawn, because its source did not publish for over 24 hours.'),
    nesigur: trueFlag('Only when true: served but not relied on; leave it out of minimums and rankings.'),
    motiv_nesigur: Type.Optional(
      oneOf(
        DOUBT_CODES,
        'Only with `nesigur`. `blocat`: unchanged for at least 14 days while the rest of the network moved; `observatie_veche`: ' +
          'its source has not reported it for at least 7 days; `orfan_anpc`: the national register no longer sends the row.',
      ),
    ),
    nesigur_din: Type.Optional(
      nullable.string(
        'Only with `nesigur`: day since which the price is unchanged, or of the last observation; null for `orfan_anpc`.',
        'date',
      ),
    ),
    pret_masurat_la: Type.Optional(
      Type.String({
        description: 'Measurement date exactly as the source sends it. Use `observat_la` as the measure of age.',
      }),
    ),
    pret_incoerent: trueFlag(
      'Only when true: a premium price withdrawn because it was below the standard one at the same pump.',
    ),
    nume: Type.Optional(Type.String({ description: 'Name of a manually added station.' })),
    franciza: Type.Optional(Type.Boolean({ description: 'Whether a franchisee runs the station, where known.' })),
    nota_pret: Type.Optional(
      Type.String({ description: 'Note in Romanian for stations whose network publishes no price.' }),
    ),
    program: Type.Optional(Type.String({ description: 'Opening hours.' })),
    servicii: Type.Optional(Type.String({ description: 'Services, separated by a comma.' })),
    telefon: Type.Optional(Type.String({ description: 'Phone.' })),
    coord_suspecta: trueFlag('Only when true: the coordinates fall in a county other than the declared one.'),
    approximate_coords: trueFlag('Only when true: the coordinates are approximate.'),
    observat_la: nullable.string(
      'When the price was observed: `YYYY-MM-DD` where the source gives a day, a timestamp with offset where it gives an ' +
        'instant; null = the source does not say, or no price. Never the download time.',
    ),
    distanta_km: Type.Optional(
      Type.Number({
        minimum: 0,
        description:
          'Only with the geo filter: great-circle distance from the requested point in km, rounded to 2 decimals (the radius is decided on the exact distance).',
      }),
    ),
  },
  'InregistrareStatie',
);

const status = oneOf(['ok'], 'Always `ok`.');
const day = Type.String({
  format: 'date',
  description: "The server's calendar day in Romania at response time; not the date of the prices.",
});
const updatedAt = nullable.string(
  'Moment of the last successful price-data update, the same value as in the health check; null = none yet.',
  'date-time',
);
const convention = oneOf(
  ['null', 'zero'],
  'How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value.',
);
const envelope = { status, data: day, actualizat_la: updatedAt };
const networks = Type.Array(NetworkSchema, {
  description: 'National average of every network with a station, by name.',
});

export const PricesSchema = strictObject(
  {
    ...envelope,
    total: Type.Integer({ minimum: 0, description: 'Number of cities in `rezultate`.' }),
    rezultate: Type.Array(CitySchema, { description: 'Minimum current prices by city, largest population first.' }),
    retele: networks,
    preturi_lipsa: convention,
    nota: Type.Optional(Type.String({ description: 'Only without a key: explains the truncation to the top 20.' })),
  },
  'RaspunsPreturi',
);

export const NationalSchema = strictObject(
  {
    ...envelope,
    preturi_lipsa: convention,
    preturi: strictObject({
      benzina_standard: BucketSchema,
      benzina_premium: BucketSchema,
      motorina_standard: BucketSchema,
      motorina_premium: BucketSchema,
      gpl: BucketSchema,
    }),
  },
  'RaspunsMinime',
);

export const CountySchema = strictObject(
  {
    ...envelope,
    judet: Type.String({ pattern: '^[A-Z]{1,2}$', description: 'Plate code of the county, whatever was sent.' }),
    nr_orase: Type.Integer({ minimum: 0, description: 'Number of cities averaged.' }),
    ...longPriceFields,
    preturi_lipsa: convention,
  },
  'RaspunsJudet',
);

export const NetworksSchema = strictObject(
  { ...envelope, retele: networks, preturi_lipsa: convention },
  'RaspunsRetele',
);

export const StationsSchema = strictObject(
  {
    ...envelope,
    total: Type.Integer({ minimum: 0, description: 'Number of records in `statii`.' }),
    statii: Type.Array(StationSchema, { description: 'One record per station and fuel.' }),
    total_disponibil: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Only without a key, when truncated: records existing for the given filters.',
      }),
    ),
    nota: Type.Optional(Type.String({ description: 'Only without a key, when truncated: explains the sample.' })),
  },
  'RaspunsStatii',
);

const series = Type.Array(nullable.number('RON per litre; null = no measurement that day.'));
const byFuel = <S extends TSchema>(schema: S) => ({
  benzina_standard: Type.Optional(schema),
  benzina_premium: Type.Optional(schema),
  motorina_standard: Type.Optional(schema),
  motorina_premium: Type.Optional(schema),
  gpl: Type.Optional(schema),
  adblue: Type.Optional(schema),
});

export const HistorySchema = strictObject(
  {
    status,
    station_id: Type.String({ description: 'The station asked for.' }),
    labels: Type.Array(Type.String({ pattern: '^\\d{2}\\.\\d{2}$' }), {
      description: 'Days as `DD.MM`, chronological.',
    }),
    series: strictObject(byFuel(series)),
    variatie: strictObject(
      byFuel(Type.Number({ description: 'Last minus first known price of the window, RON, 2 decimals.' })),
    ),
  },
  'RaspunsIstoric',
);

export const PlacesSchema = strictObject(
  {
    results: Type.Array(Type.String(), {
      maxItems: 10,
      description: 'City names with diacritics, most populous first.',
    }),
  },
  'RaspunsGeocode',
);

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const HealthSchema = strictObject(
  {
    status: oneOf(['ok', 'degraded'], '`degraded` comes with HTTP 503.'),
    actualizat_la: updatedAt,
    vechime_secunde: nullable.integer('Age of the most recent update in seconds; informative only.'),
    vechime_maxima_secunde: nullable.integer(
      'Age of the oldest in-service source in seconds; above 86400 the status is `degraded`.',
    ),
    vechime_maxima_descarcare_secunde: nullable.integer('Age of the oldest download in seconds.'),
    observatie_cea_mai_veche: nullable.string('Date of the oldest observation served.', 'date'),
    preturi_fara_data_observatie: count('Prices without an observation date.'),
    statii_cu_pret: count('Legacy field: records with a non-zero price, not physical stations.'),
    inregistrari_total: count('All fuel rows, missing and expired prices included.'),
    preturi_disponibile: count(
      "Rows with a valid price in the fuel's range after expiry; zero makes the status `degraded`.",
    ),
    statii_total: count('Distinct physical stations on the map, those without a price included.'),
    statii_cu_pret_unice: count('Distinct physical stations with at least one valid price.'),
  },
  'Stare',
);

export const ProblemSchema = strictObject(
  {
    status: oneOf(['error'], 'Always `error`.'),
    message: Type.String({ description: 'Explanation in Romanian; not part of the contract.' }),
  },
  'Eroare',
);

export const NoSuchPathSchema = strictObject(
  {
    status: oneOf(['error'], 'Always `error`.'),
    message: Type.String({ description: 'Explanation in Romanian; not part of the contract.' }),
    message_en: Type.String({ description: 'The same in English.' }),
    docs: Type.String({ format: 'uri', description: 'Address of the documentation.' }),
  },
  'AdresaInexistenta',
);

export const DocumentSchema = Type.Object(
  { openapi: Type.String({ pattern: '^3\\.1\\.' }), info: Type.Object({}), paths: Type.Object({}) },
  { description: 'An OpenAPI 3.1 document.' },
);

export type CityJson = Static<typeof CitySchema>;
export type NetworkJson = Static<typeof NetworkSchema>;
export type BucketJson = Static<typeof BucketSchema>;
export type StationJson = Static<typeof StationSchema>;
export type HealthJson = Static<typeof HealthSchema>;
