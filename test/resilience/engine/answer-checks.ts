/** Judges single answers: from one whole publication, and exactly as the oracle has it. */
import assert from 'node:assert/strict';
import { ROAD_FUELS } from '../../../src/domain/fuel.ts';
import { type Oracle, SHOWN } from './oracle.ts';

/** What an answer was found to be: of which collection, and with which `actualizat_la` where it has one. */
export type Judged = { readonly collection: number; readonly updatedAt: string | undefined };

type Bucket = { min: number };
type Answer = {
  actualizat_la?: string;
  preturi: Record<string, Bucket>;
  retele: Record<string, unknown>[];
  rezultate: Record<string, unknown>[];
  statii: { id: string; tip: string; pret: number }[];
  total: number;
  total_disponibil: number;
  labels: string[];
  series: Record<string, (number | null)[]>;
};

const PLAIN = 0;

/** The addresses that are read, with those of every county and some stations. */
export function addresses(oracle: Oracle, stations: readonly string[]): string[] {
  return [
    '/api/v1/retele',
    '/api/v1/preturi',
    '/api/v1/preturi/minime',
    '/api/v1/statii',
    '/api/v1/statii?tip=motorina_standard',
    ...oracle.counties.map((code) => `/api/v1/judete/${code}`),
    ...stations.map((id) => `/api/v1/statie/${id}/istoric?days=90`),
  ];
}

/** Which collection an answer is from; throws where it is from none, or from several at once. */
export function judge(oracle: Oracle, address: string, body: string, latest: number): Judged {
  const answer = JSON.parse(body) as Answer;
  const collection = JUDGES.find(([path]) => path.test(address))?.[1](oracle, answer, address, latest);
  if (collection === undefined) throw new Error(`nothing is known of ${address}`);
  return { collection, updatedAt: answer.actualizat_la };
}

/** The value of a day (`DD.MM`) in a history; `undefined` where the day or the fuel is not there. */
export function dayValue(body: string, label: string, fuel: string): number | null | undefined {
  const { labels, series } = JSON.parse(body) as Answer;
  return series[fuel]?.[labels.indexOf(label)];
}

type Judge = (oracle: Oracle, answer: Answer, address: string, latest: number) => number;

const JUDGES: readonly [RegExp, Judge][] = [
  [/\/preturi\/minime$/, judgeNational],
  [/\/preturi$/, judgeCities],
  [/\/retele$/, judgeNetworks],
  [/\/statii/, judgeStations],
  [/\/judete\//, judgeCounty],
  [/\/istoric/, judgeHistory],
];

function judgeNational(oracle: Oracle, { preturi }: Answer, _: string, latest: number): number {
  const collection = tell(oracle, preturi.gpl?.min, oracle.national(PLAIN).gpl?.min, latest);
  assert.deepEqual(preturi, oracle.national(collection));
  return collection;
}

function judgeCities(oracle: Oracle, { rezultate, retele, total }: Answer, _: string, latest: number): number {
  const collection = tell(oracle, rezultate[0]?.benzina, oracle.cities(PLAIN)[0]?.benzina, latest);
  const expected = oracle.cities(collection);
  assert.equal(total, expected.length);
  assert.deepEqual(alike(rezultate, expected), expected);
  const networks = oracle.networks(collection);
  assert.deepEqual(alike(retele, networks), networks);
  return collection;
}

function judgeNetworks(oracle: Oracle, { retele }: Answer, _: string, latest: number): number {
  const collection = tell(oracle, retele.at(-1)?.motorina, oracle.networks(PLAIN).at(-1)?.motorina, latest);
  const expected = oracle.networks(collection);
  assert.deepEqual(alike(retele, expected), expected);
  return collection;
}

function judgeStations(oracle: Oracle, answer: Answer, address: string, latest: number): number {
  const { statii, total, total_disponibil } = answer;
  const [first] = statii;
  const collection = tell(oracle, first?.pret, first && oracle.price(first.id, first.tip, PLAIN), latest);
  for (const { id, tip, pret } of statii) {
    assert.equal(pret, oracle.price(id, tip, collection), `${id} ${tip} of collection ${collection}`);
  }
  assert.deepEqual([total, statii.length], [SHOWN.records, SHOWN.records]);
  assert.equal(new Set(statii.map(({ id, tip }) => `${id} ${tip}`)).size, SHOWN.records);
  assert.equal(total_disponibil, address.includes('tip=') ? oracle.ids.length : oracle.records);
  return collection;
}

function judgeCounty(oracle: Oracle, answer: Answer, address: string, latest: number): number {
  const code = address.slice(address.lastIndexOf('/') + 1);
  const found = answer as unknown as Record<string, unknown>;
  const collection = tell(oracle, found.motorina_standard, oracle.county(code, PLAIN).motorina_standard, latest);
  const expected = oracle.county(code, collection);
  assert.deepEqual(alike([found], [expected]), [expected]);
  return collection;
}

/** Today's value is the price being served. */
function judgeHistory(oracle: Oracle, { series }: Answer, address: string, latest: number): number {
  const id = address.split('/').at(-2) as string;
  const collection = tell(
    oracle,
    series.motorina_standard?.at(-1),
    oracle.price(id, 'motorina_standard', PLAIN),
    latest,
  );
  for (const [fuel, values] of Object.entries(series)) {
    assert.equal(values.at(-1), oracle.price(id, fuel, collection), `${id} ${fuel} of collection ${collection}`);
  }
  assert.ok(Object.keys(series).length <= ROAD_FUELS.length);
  return collection;
}

function tell(oracle: Oracle, price: unknown, base: unknown, latest: number): number {
  if (typeof price !== 'number' || typeof base !== 'number') throw new Error(`no price to tell it by: ${price}`);
  const collection = oracle.collectionOf(price, base, latest);
  if (collection === null) throw new Error(`${price} is a price of no collection up to ${latest}`);
  return collection;
}

/** Only the fields that are expected; the number of objects stays. */
function alike(found: readonly Record<string, unknown>[], expected: readonly Record<string, unknown>[]): unknown[] {
  const fields = Object.keys(expected[0] ?? {});
  return found.map((each) => Object.fromEntries(fields.map((field) => [field, each[field]])));
}
