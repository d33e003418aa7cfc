/**
 * The schemas of the price and service answers, exactly as the contract states them. The OpenAPI document, the
 * documentation pages and, by typebox, the types of `contract.ts` are derived from them: every served field is
 * described, and every described field is served.
 */
import type { Static } from 'typebox';
import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import { byFuelCode, FUEL_CODE } from '../../domain/fuel-codes.ts';
import { SEARCH_LIMIT } from '../../domain/places/gazetteer.ts';
import { Type } from '../../json/json-schema.ts';
import { MAX_DELIVERY_AGE_SECONDS } from '../../snapshot/freshness.ts';
import { described } from './localized-schema.ts';
import {
  countOf,
  englishMessage,
  latitude,
  longitude,
  longPriceFields,
  nullable,
  nullablePrice,
  oneOf,
  romanianMessage,
  shortPriceFields,
  statusError,
  statusOk,
  strictObject,
} from './schema-parts.ts';

const CitySchema = strictObject(
  {
    oras: Type.String(described({ ro: 'Numele orașului, fără diacritice.', en: 'City name, ASCII.' })),
    slug: Type.String(described({ ro: 'Numele orașului pentru adrese web.', en: 'URL-friendly id of the city.' })),
    judet: Type.String(
      described({ ro: 'Codul auto al județului, de exemplu `CJ`.', en: 'County plate code, e.g. `CJ`.' }),
    ),
    lat: latitude,
    lng: longitude,
    ...shortPriceFields,
  },
  'OrasPreturi',
);

const NetworkSchema = strictObject(
  {
    nume: Type.String(described({ ro: 'Numele rețelei.', en: 'Network name.' })),
    slug: Type.String(described({ ro: 'Numele rețelei pentru adrese web.', en: 'URL-friendly id of the network.' })),
    culoare: Type.String({
      pattern: '^#[0-9a-fA-F]{6}$',
      ...described({ ro: 'Culoarea mărcii, pentru interfețe.', en: 'Brand colour, for user interfaces.' }),
    }),
    logo: Type.String({
      // Not `^/`: Specmatic takes that for a delimiter, as in `/…/`, and refuses the whole document.
      pattern: '^\\/',
      ...described({
        ro: 'Calea siglei, relativ la adresa serviciului.',
        en: 'Path of the logo, relative to the service address.',
      }),
    }),
    ...shortPriceFields,
  },
  'RetePreturi',
);

const BucketSchema = strictObject(
  {
    min: nullablePrice({ ro: 'Cel mai mic preț de încredere din țară', en: 'Lowest trusted price in the country' }),
    mediu: nullablePrice({
      ro: 'Media prețurilor de încredere, cu 2 zecimale',
      en: 'Average of the trusted prices, 2 decimals',
    }),
    max: nullablePrice({ ro: 'Cel mai mare preț de încredere din țară', en: 'Highest trusted price in the country' }),
  },
  'PretNational',
  { ro: 'Minimul, media și maximul unui carburant.', en: 'Minimum, average and maximum of one fuel.' },
);

const updatedAt = nullable.string(
  {
    ro: 'Momentul ultimei actualizări reușite a prețurilor, același ca în `/health`; null = niciuna încă.',
    en: 'Time of the last successful price-data update, the same value as in the health check; null = none yet.',
  },
  'date-time',
);
const convention = oneOf(['null', 'zero'], {
  ro: 'Cum este scris un preț lipsă în acest răspuns: `zero` numai când `zeros` are una dintre valorile acceptate.',
  en: 'How a missing price is written in this answer: `zero` only with `zeros` set to an accepted value.',
});
const networks = Type.Array(
  NetworkSchema,
  described({
    ro: 'Media națională a fiecărei rețele care are o stație, în ordinea numelor.',
    en: 'National average of every network with a station, by name.',
  }),
);

/** The fields that start every aggregate answer. */
export const envelopeFields = {
  status: statusOk,
  data: Type.String({
    format: 'date',
    ...described({
      ro: 'Ziua din calendarul României în care răspunde serverul; nu este data prețurilor.',
      en: "The server's calendar day in Romania at response time; not the date of the prices.",
    }),
  }),
  actualizat_la: updatedAt,
};

export const PricesSchema = strictObject(
  {
    ...envelopeFields,
    total: countOf({ ro: 'Câte orașe sunt în `rezultate`.', en: 'Number of cities in `rezultate`.' }),
    rezultate: Type.Array(
      CitySchema,
      described({
        ro: 'Prețurile minime curente pe orașe, cele mai populate primele.',
        en: 'Minimum current prices by city, largest population first.',
      }),
    ),
    retele: networks,
    preturi_lipsa: convention,
    nota: Type.Optional(
      Type.String(
        described({
          ro: `Numai fără cheie: explică de ce sunt cel mult ${ANONYMOUS_LIMITS.cities} de orașe.`,
          en: `Only without a key: explains the truncation to the top ${ANONYMOUS_LIMITS.cities}.`,
        }),
      ),
    ),
  },
  'RaspunsPreturi',
);

export const NationalSchema = strictObject(
  {
    ...envelopeFields,
    preturi_lipsa: convention,
    preturi: strictObject(
      byFuelCode(ROAD_FUELS, FUEL_CODE, () => BucketSchema),
      undefined,
      { ro: 'Prețurile fiecărui carburant.', en: 'The prices of each fuel.' },
    ),
  },
  'RaspunsMinime',
);

export const CountySchema = strictObject(
  {
    ...envelopeFields,
    judet: Type.String({
      pattern: '^[A-Z]{1,2}$',
      ...described({
        ro: 'Codul auto al județului, oricum a fost scris în cerere.',
        en: 'Plate code of the county, however the request wrote it.',
      }),
    }),
    nr_orase: countOf({ ro: 'Câte orașe intră în medie.', en: 'Number of cities in the average.' }),
    ...longPriceFields,
    preturi_lipsa: convention,
  },
  'RaspunsJudet',
);

export const NetworksSchema = strictObject(
  { ...envelopeFields, retele: networks, preturi_lipsa: convention },
  'RaspunsRetele',
);

export const PlacesSchema = strictObject(
  {
    results: Type.Array(Type.String(), {
      maxItems: SEARCH_LIMIT,
      ...described({
        ro: 'Numele orașelor, cu diacritice, cele mai populate primele.',
        en: 'City names with diacritics, most populous first.',
      }),
    }),
  },
  'RaspunsGeocode',
);

export const HealthSchema = strictObject(
  {
    status: oneOf(['ok', 'degraded'], {
      ro: '`degraded` vine cu statusul HTTP 503.',
      en: '`degraded` comes with HTTP 503.',
    }),
    actualizat_la: updatedAt,
    vechime_secunde: nullable.integer({
      ro: 'Vechimea celei mai recente actualizări, în secunde; numai informativ.',
      en: 'Age of the most recent update in seconds; informative only.',
    }),
    vechime_maxima_secunde: nullable.integer({
      ro: `Vechimea celei mai vechi surse în serviciu, în secunde; peste ${MAX_DELIVERY_AGE_SECONDS} starea este \`degraded\`.`,
      en: `Age of the oldest in-service source in seconds; above ${MAX_DELIVERY_AGE_SECONDS} the status is \`degraded\`.`,
    }),
    vechime_maxima_descarcare_secunde: nullable.integer({
      ro: 'Vechimea celei mai vechi descărcări, în secunde.',
      en: 'Age of the oldest download in seconds.',
    }),
    observatie_cea_mai_veche: nullable.string(
      { ro: 'Ziua celei mai vechi observații servite.', en: 'Date of the oldest observation served.' },
      'date',
    ),
    preturi_fara_data_observatie: countOf({
      ro: 'Prețuri fără ziua observației.',
      en: 'Prices without an observation date.',
    }),
    statii_cu_pret: countOf({
      ro: 'Câmp vechi: înregistrări cu preț diferit de zero, nu stații fizice.',
      en: 'Legacy field: records with a non-zero price, not physical stations.',
    }),
    inregistrari_total: countOf({
      ro: 'Toate înregistrările de carburant, și cele cu preț lipsă sau expirat.',
      en: 'All fuel rows, missing and expired prices included.',
    }),
    preturi_disponibile: countOf({
      ro: 'Înregistrări cu preț valabil, în intervalul carburantului și neexpirat; la zero starea este `degraded`.',
      en: "Rows with a valid price in the fuel's range after expiry; zero makes the status `degraded`.",
    }),
    statii_total: countOf({
      ro: 'Stații fizice distincte de pe hartă, și cele fără preț.',
      en: 'Distinct physical stations on the map, those without a price included.',
    }),
    statii_cu_pret_unice: countOf({
      ro: 'Stații fizice distincte cu cel puțin un preț valabil.',
      en: 'Distinct physical stations with at least one valid price.',
    }),
  },
  'Stare',
);

export const ProblemSchema = strictObject({ status: statusError, message: romanianMessage }, 'Eroare');

export const NoSuchPathSchema = strictObject(
  {
    status: statusError,
    message: romanianMessage,
    message_en: englishMessage,
    docs: Type.String({
      format: 'uri',
      ...described({ ro: 'Adresa documentației.', en: 'Address of the documentation.' }),
    }),
  },
  'AdresaInexistenta',
);

export const DocumentSchema = Type.Object(
  {
    openapi: Type.String({
      pattern: '^3\\.1\\.',
      ...described({ ro: 'Versiunea specificației.', en: 'The version of the specification.' }),
    }),
    info: Type.Object(
      {
        title: Type.String(described({ ro: 'Numele.', en: 'Name.' })),
        version: Type.String(described({ ro: 'Versiunea API-ului.', en: 'The version of the API.' })),
      },
      described({ ro: 'Numele, descrierea și licența.', en: 'Name, description and licence.' }),
    ),
    paths: Type.Object({}, described({ ro: 'Adresele API-ului.', en: 'The endpoints.' })),
  },
  described({ ro: 'Un document OpenAPI 3.1.', en: 'An OpenAPI 3.1 document.' }),
);

export type CityJson = Static<typeof CitySchema>;
export type NetworkJson = Static<typeof NetworkSchema>;
export type BucketJson = Static<typeof BucketSchema>;
export type HealthJson = Static<typeof HealthSchema>;
