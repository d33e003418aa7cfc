/** Invariants of every 200 answer, in any format. */
import assert from 'node:assert/strict';
import type { Json } from './operations.ts';

/** Valid prices, RON per litre. Source: API contract, "Missing-price convention"; adblue: rule 24. */
const RANGES: readonly (readonly [field: RegExp, least: number, most: number])[] = [
  [/^benzina/, 5.5, 12],
  [/^motorina/, 5.5, 13],
  [/^gpl$/, 2.5, 6],
  [/^adblue$/, 1, 20],
];
const PUBLIC_RECORDS = 150;
const PUBLIC_CITIES = 20;

/** What a request demands of the answer besides its path. */
export type RequestTraits = {
  readonly zeros: boolean;
  readonly tip: string;
  readonly near: boolean;
  readonly byPrice: boolean;
  /** Whether the request has a good key. */
  readonly keyed: boolean;
};

/** Parses a query as a form and returns its traits. */
export function requestTraits(query: string): Omit<RequestTraits, 'keyed'> {
  // URLSearchParams strips one leading question mark; a second one is part of a name.
  const sent = new URLSearchParams(`?${query}`);
  const zeros = ['1', 'true', 'yes', 'da'].includes(sent.get('zeros') ?? '');
  return { zeros, tip: sent.get('tip') ?? '', near: sent.has('lat'), byPrice: sent.get('sort') === 'pret' };
}

/** The media type of CSV. */
export const CSV = 'text/csv; charset=utf-8; header=present';
const FORMATS = new Map([
  ['geojson', 'application/geo+json'],
  ['csv', CSV],
]);

/** The media type of the format that a query asks for, unless it is JSON. */
export function askedFormat(query: string): string | undefined {
  return FORMATS.get(new URLSearchParams(`?${query}`).get('format') ?? '');
}

/** Throws when a row of a list as CSV has not as many cells as its header. */
export function assertCsv(text: string): void {
  const rows = text.split('\r\n');
  assert.equal(rows.pop(), '', 'CSV without a line break at its end');
  const cells = rows.map((row) => row.match(/(?:^|,)(?:"(?:[^"]|"")*"|[^",\r\n]*)/g) ?? []);
  for (const [at, row] of cells.entries()) {
    assert.ok(row.join('') === rows[at] && row.length === cells[0]?.length, `row ${at} of a CSV: ${rows[at]}`);
  }
}

/** A list as GeoJSON, read as the same list in JSON. */
function asList(json: Json): Json {
  if (json.type !== 'FeatureCollection') return json;
  const { type, features, ...fields } = json;
  return { ...fields, statii: features.map(({ properties }: Json) => properties) };
}

/** Throws when a 200 answer contradicts itself, the contract or the request. */
export function assertInvariants(sent: Json, { zeros: wanted, tip, near, byPrice, keyed }: RequestTraits): void {
  const json = asList(sent);
  if (json.preturi_lipsa) assert.equal(json.preturi_lipsa, wanted ? 'zero' : 'null', 'preturi_lipsa');
  // Stations along a route, and those in Germany, are other records.
  const records = json.data === undefined ? undefined : json.statii;
  for (const record of records ?? []) {
    assert.ok(tip === '' || record.tip === tip, `${record.tip} instead of ${tip}`);
    assert.equal(record.distanta_km !== undefined, near, 'distanta_km and the geo filter');
  }
  const zeros = json.preturi_lipsa === 'zero';
  for (const list of [json.rezultate, json.retele, [json]]) for (const each of list ?? []) assertPrices(each, zeros);
  for (const [fuel, bucket] of Object.entries<Json>(json.preturi ?? {})) assertBucket(fuel, bucket, zeros);
  if (json.rezultate) {
    assert.equal(json.total, json.rezultate.length, 'total of rezultate');
    assert.ok(keyed || json.total <= PUBLIC_CITIES, 'more cities than without a key');
    assert.equal(json.nota === undefined, keyed, 'nota and the key');
  }
  if (records) assertStations(json, keyed, byPrice);
  if (json.labels) assertHistory(json);
}

function assertPrices(record: Json, zeros: boolean): void {
  for (const [field, value] of Object.entries(record)) {
    if (typeof value === 'number' || value === null) assertPrice(field, value, zeros);
  }
}

/** Checks the range of a price; other fields than those of fuels have none. */
function assertPrice(field: string, value: number | null, zeros = false): void {
  const [, least = 0, most = 0] = RANGES.find(([name]) => name.test(field)) ?? [];
  if (most === 0 || value === null || (zeros && value === 0)) return;
  assert.ok(value >= least && value <= most, `${field} ${value} is out of range`);
}

function assertBucket(fuel: string, { min, mediu, max }: Json, zeros: boolean): void {
  for (const value of [min, mediu, max]) assertPrice(fuel, value, zeros);
  assert.ok(
    (min === null) === (max === null) && min <= mediu + 0.005 && mediu <= max + 0.005,
    `${fuel}: min, mean, max`,
  );
}

function assertStations(
  { total, statii, total_disponibil: available, nota }: Json,
  keyed: boolean,
  byPrice: boolean,
): void {
  assert.equal(total, statii.length, 'total of statii');
  assert.ok(keyed || total <= PUBLIC_RECORDS, 'more records than without a key');
  assert.ok(!keyed || available === undefined, 'truncated despite a key');
  assert.ok(available === undefined ? nota === undefined : available > total && nota !== undefined, 'total_disponibil');
  let before = -1;
  const near = statii.some((record: Json) => record.distanta_km !== undefined);
  for (const record of statii) {
    assertStationRecord(record);
    if (!near) continue;
    assert.ok((byPrice || record.distanta_km >= before) && record.distanta_km <= 50, 'not sorted by distance');
    before = record.distanta_km;
  }
}

function assertStationRecord(record: Json): void {
  const {
    tip,
    pret,
    pret_expirat: expired,
    pret_incoerent: incoherent,
    nesigur,
    motiv_nesigur: reason,
    observat_la: observedAt,
  } = record;
  assertPrice(tip, pret);
  assert.ok(pret === null || (!expired && !incoherent), 'a withdrawn price is served');
  assert.ok(pret !== null || (observedAt === null && !nesigur), 'observed or doubtful without a price');
  assert.equal(nesigur === true, reason !== undefined, 'nesigur and motiv_nesigur');
  assert.equal(nesigur === true, 'nesigur_din' in record, 'nesigur and nesigur_din');
}

function assertHistory({ labels, series, variatie }: Json): void {
  assert.ok(labels.length >= 1 && labels.length <= 90, `${labels.length} days`);
  for (const [fuel, days] of Object.entries<(number | null)[]>(series)) {
    assert.equal(days.length, labels.length, `days of ${fuel}`);
    for (const price of days)
      assert.ok(price === null || (price >= 0.5 && price <= 50), `${fuel} ${price} in the history`);
  }
  for (const fuel of Object.keys(variatie)) {
    assert.ok(series[fuel].filter((price: number | null) => price !== null).length >= 2, `variatie of ${fuel}`);
  }
}
