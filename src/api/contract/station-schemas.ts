/** The schemas of station records and their history, exactly as the contract states them. */
import type { Static, TSchema } from 'typebox';
import { FUELS } from '../../domain/fuel.ts';
import { byFuelCode, FUEL_CODE, FUEL_CODES } from '../../domain/fuel-codes.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import { MAX_PRICE_AGE_MS, ORPHAN_PRICE_MS, STALE_DAYS, STUCK_DAYS } from '../../domain/prices/price-verdict.ts';
import { Type } from '../../json/json-schema.ts';
import { described } from './localized-schema.ts';
import {
  countOf,
  DOUBT_CODES,
  latitude,
  longitude,
  MISSING_CODES,
  nullable,
  nullablePrice,
  oneOf,
  statusOk,
  strictObject,
  trueFlag,
} from './schema-parts.ts';
import { envelopeFields } from './schemas.ts';

const MAX_PRICE_AGE_HOURS = MAX_PRICE_AGE_MS / 3_600_000;
const ORPHAN_PRICE_DAYS = ORPHAN_PRICE_MS / 86_400_000;

const StationSchema = strictObject(
  {
    id: Type.String(
      described({
        ro: 'Identificatorul stabil al stației, folosit și în calea istoricului.',
        en: 'Stable station identifier; the value to use in the history path.',
      }),
    ),
    brand: Type.String(described({ ro: 'Numele rețelei.', en: 'Network name.' })),
    oras: Type.String(
      described({ ro: 'Numele orașului, fără diacritice; poate fi gol.', en: 'City name, ASCII; may be empty.' }),
    ),
    judet: Type.String(
      described({
        ro: 'Numele județului (nu codul), fără diacritice; poate fi gol.',
        en: 'County name (not the code), ASCII; may be empty.',
      }),
    ),
    adresa: Type.String(described({ ro: 'Adresa; poate fi goală.', en: 'Address; may be empty.' })),
    lat: latitude,
    lng: longitude,
    tip: oneOf(FUEL_CODES, { ro: 'Carburantul înregistrării.', en: 'Fuel type of the record.' }),
    pret: nullablePrice({ ro: 'Prețul', en: 'Price' }),
    pret_expirat: trueFlag({
      ro: `Numai când este true: retras, pentru că sursa lui nu a mai publicat de peste ${MAX_PRICE_AGE_HOURS} de ore.`,
      en: `Only when true: withdrawn, because its source did not publish for over ${MAX_PRICE_AGE_HOURS} hours.`,
    }),
    nesigur: trueFlag({
      ro: 'Numai când este true: afișat, dar nu de încredere; nu îl folosiți în minime și clasamente.',
      en: 'Only when true: served but not relied on; leave it out of minimums and rankings.',
    }),
    motiv_nesigur: Type.Optional(
      oneOf(DOUBT_CODES, {
        ro:
          `Numai cu \`nesigur\`. \`blocat\`: neschimbat de cel puțin ${STUCK_DAYS} zile, în timp ce restul rețelei s-a schimbat; ` +
          `\`observatie_veche\`: data indicată de sursă are o vechime de cel puțin ${STALE_DAYS} zile; ` +
          '`orfan_anpc`: registrul național nu mai trimite rândul.',
        en:
          `Only with \`nesigur\`. \`blocat\`: unchanged for at least ${STUCK_DAYS} days while the rest of the network moved; ` +
          `\`observatie_veche\`: the date that its source gives is at least ${STALE_DAYS} days old; ` +
          '`orfan_anpc`: the national register no longer sends the row.',
      }),
    ),
    nesigur_din: Type.Optional(
      nullable.string(
        {
          ro: 'Numai cu `nesigur`: ziua de când prețul este neschimbat sau ziua ultimei observații; null pentru `orfan_anpc`.',
          en: 'Only with `nesigur`: day since which the price is unchanged, or of the last observation; null for `orfan_anpc`.',
        },
        'date',
      ),
    ),
    pret_masurat_la: Type.Optional(
      Type.String(
        described({
          ro: 'Data măsurării, exact cum o trimite sursa. Vechimea se stabilește după `observat_la`.',
          en: 'Measurement date exactly as the source sends it. Use `observat_la` as the measure of age.',
        }),
      ),
    ),
    pret_incoerent: trueFlag({
      ro: 'Numai când este true: un preț premium retras pentru că era sub cel standard la aceeași stație.',
      en: 'Only when true: a premium price withdrawn because it was below the standard one at the same station.',
    }),
    nume: Type.Optional(
      Type.String(described({ ro: 'Numele unei stații adăugate manual.', en: 'Name of a manually added station.' })),
    ),
    franciza: Type.Optional(
      Type.Boolean(
        described({
          ro: 'Dacă stația este administrată în franciză, acolo unde se știe.',
          en: 'Whether a franchisee runs the station, where known.',
        }),
      ),
    ),
    nota_pret: Type.Optional(
      Type.String(
        described({
          ro: 'Notă pentru stațiile unei rețele care nu publică prețuri.',
          en: 'Note in Romanian for stations whose network publishes no price.',
        }),
      ),
    ),
    program: Type.Optional(Type.String(described({ ro: 'Programul de funcționare.', en: 'Opening hours.' }))),
    servicii: Type.Optional(
      Type.String(described({ ro: 'Serviciile, despărțite prin virgulă.', en: 'Services, separated by a comma.' })),
    ),
    telefon: Type.Optional(Type.String(described({ ro: 'Numărul de telefon.', en: 'Phone.' }))),
    coord_suspecta: trueFlag({
      ro: 'Numai când este true: coordonatele cad în alt județ decât cel declarat.',
      en: 'Only when true: the coordinates fall in a county other than the declared one.',
    }),
    approximate_coords: trueFlag({
      ro: 'Numai când este true: coordonatele sunt aproximative.',
      en: 'Only when true: the coordinates are approximate.',
    }),
    observat_la: nullable.string({
      ro:
        'Când a fost observat prețul: `AAAA-LL-ZZ` dacă sursa dă o zi, moment cu decalaj orar dacă dă un moment; null = ' +
        'sursa nu spune, sau nu există preț. Nu este niciodată ora descărcării.',
      en:
        'When the price was observed: `YYYY-MM-DD` where the source gives a day, a timestamp with offset where it gives an ' +
        'instant; null = the source does not say, or no price. Never the download time.',
    }),
    distanta_km: Type.Optional(
      Type.Number({
        minimum: 0,
        ...described({
          ro: 'Numai cu filtrul geografic: distanța în linie dreaptă până la punctul cerut, în km, rotunjită la 2 zecimale (raza se compară cu distanța exactă).',
          en: 'Only with the geo filter: great-circle distance from the requested point in km, rounded to 2 decimals (the radius is compared with the exact distance).',
        }),
      }),
    ),
    stare: Type.Optional(
      oneOf(MISSING_CODES, {
        ro:
          'Numai cu `campuri=extins`, la o înregistrare fără preț: de ce lipsește. `nu_se_vinde`: nicio sursă nu spune că stația vinde acest carburant (numai cu `id`); ' +
          `\`expirat\`: sursa nu a mai publicat de peste ${MAX_PRICE_AGE_HOURS} de ore; \`incoerent\`: premium sub standard la aceeași stație; ` +
          '`fara_pret_publicat`: nicio sursă nu dă un preț utilizabil; `pret_invalid`: o sursă dă un preț în afara limitelor plauzibile; ' +
          `\`orfan_anpc\`: registrul național nu mai trimite rândul de peste ${ORPHAN_PRICE_DAYS} de zile.`,
        en:
          'Only with `campuri=extins`, on a record without a price: why it is missing. `nu_se_vinde`: no source says that the station sells this fuel (only with `id`); ' +
          `\`expirat\`: its source has not published for over ${MAX_PRICE_AGE_HOURS} hours; \`incoerent\`: premium below standard at the same station; ` +
          '`fara_pret_publicat`: no source gives a usable price; `pret_invalid`: a source gives one outside the plausible range; ' +
          `\`orfan_anpc\`: the national register has not sent the row for over ${ORPHAN_PRICE_DAYS} days.`,
      }),
    ),
    vechime: Type.Optional(
      nullable.integer({
        ro: 'Numai cu `campuri=extins`, la o înregistrare cu preț: câte zile calendaristice au trecut de la observare (0 = azi); null = sursa nu spune când l-a observat.',
        en: 'Only with `campuri=extins`, on a record with a price: calendar days since it was observed (0 = today); null = the source does not say when it was observed.',
      }),
    ),
  },
  'InregistrareStatie',
);

/** What stands around the records in every format but CSV. */
const listFields = {
  total: countOf({ ro: 'Câte înregistrări sunt în răspuns.', en: 'Number of records in the answer.' }),
  total_disponibil: Type.Optional(
    countOf({
      ro: 'Numai fără cheie, când răspunsul este trunchiat: câte înregistrări există pentru filtrele date.',
      en: 'Only without a key, when truncated: number of records that match the filters.',
    }),
  ),
  nota: Type.Optional(
    Type.String(
      described({
        ro: 'Numai fără cheie, când răspunsul este trunchiat: explică eșantionul.',
        en: 'Only without a key, when truncated: explains the sample.',
      }),
    ),
  ),
};

export const StationsSchema = strictObject(
  {
    ...envelopeFields,
    ...listFields,
    statii: Type.Array(
      StationSchema,
      described({
        ro: 'Câte o înregistrare pentru fiecare stație și carburant.',
        en: 'One record per station and fuel.',
      }),
    ),
  },
  'RaspunsStatii',
);

const PointSchema = strictObject({
  type: oneOf(['Point'], { ro: 'Mereu `Point`.', en: 'Always `Point`.' }),
  coordinates: Type.Array(Type.Number(), {
    minItems: 2,
    maxItems: 2,
    ...described({ ro: 'Longitudinea, apoi latitudinea.', en: 'Longitude, then latitude.' }),
  }),
});

const FeatureSchema = strictObject(
  {
    type: oneOf(['Feature'], { ro: 'Mereu `Feature`.', en: 'Always `Feature`.' }),
    geometry: PointSchema,
    properties: StationSchema,
  },
  'ObiectStatie',
);

/** `/statii` as GeoJSON (RFC 7946); the other fields are members of ours beside those of the standard. */
export const StationFeaturesSchema = strictObject(
  {
    type: oneOf(['FeatureCollection'], { ro: 'Mereu `FeatureCollection`.', en: 'Always `FeatureCollection`.' }),
    ...envelopeFields,
    ...listFields,
    features: Type.Array(
      FeatureSchema,
      described({ ro: 'Câte un punct pentru fiecare înregistrare.', en: 'One point per record.' }),
    ),
  },
  'RaspunsStatiiGeoJson',
);

/** `/statii` as CSV. */
export const StationsCsvSchema = Type.String(
  described({
    ro: 'CSV în UTF-8 (RFC 4180): pe primul rând numele câmpurilor, apoi câte un rând pentru fiecare înregistrare; gol = câmpul lipsește sau este null. `stare` și `vechime` sunt coloane numai cu `campuri=extins`.',
    en: 'CSV in UTF-8 (RFC 4180): the names of the fields in the first row, then a row per record; empty = absent or null. `stare` and `vechime` are columns with `campuri=extins` only.',
  }),
);

const seriesText: LocalizedText = {
  ro: 'Lei pe litru; null = nicio măsurătoare în ziua aceea.',
  en: 'RON per litre; null = no measurement that day.',
};
const series = Type.Array(nullable.number(seriesText), described(seriesText));
const change = Type.Number(
  described({
    ro: 'Ultimul minus primul preț cunoscut din fereastră, lei, 2 zecimale.',
    en: 'Last minus first known price of the window, RON, 2 decimals.',
  }),
);
const optionalByFuel = <S extends TSchema>(schema: S, text: LocalizedText) =>
  strictObject(
    byFuelCode(FUELS, FUEL_CODE, () => Type.Optional(schema)),
    undefined,
    text,
  );

export const HistorySchema = strictObject(
  {
    status: statusOk,
    station_id: Type.String(described({ ro: 'Stația cerută.', en: 'The requested station.' })),
    labels: Type.Array(
      Type.String({ pattern: '^\\d{2}\\.\\d{2}$' }),
      described({ ro: 'Zilele ca `ZZ.LL`, în ordine cronologică.', en: 'Days as `DD.MM`, chronological.' }),
    ),
    series: optionalByFuel(series, {
      ro: 'Prețurile fiecărui carburant vândut, zi de zi, în aceeași ordine ca `labels`.',
      en: 'The prices of each fuel sold, day by day, aligned with `labels`.',
    }),
    variatie: optionalByFuel(change, {
      ro: 'Schimbarea prețului în fereastră, pentru fiecare carburant cu date suficiente; pozitiv = scumpire.',
      en: 'The price change over the window, for each fuel with enough data; positive = increase.',
    }),
  },
  'RaspunsIstoric',
);

export type StationJson = Static<typeof StationSchema>;
export type HistoryJson = Static<typeof HistorySchema>;
