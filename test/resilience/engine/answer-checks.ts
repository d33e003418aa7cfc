/** Checks single answers: each must be from one complete publication and equal to the oracle's. */
import assert from 'node:assert/strict';
import { ROAD_FUELS } from '../../../src/domain/fuel.ts';
import { type Oracle, PUBLIC_LIMITS } from './oracle.ts';

/** The collection that an answer is from, and its `actualizat_la` where it has one. */
export type IdentifiedAnswer = { readonly collection: number; readonly updatedAt: string | undefined };

type PriceBucket = { min: number };
type ApiAnswer = {
  actualizat_la?: string;
  preturi: Record<string, PriceBucket>;
  retele: Record<string, unknown>[];
  rezultate: Record<string, unknown>[];
  statii: { id: string; tip: string; pret: number }[];
  total: number;
  total_disponibil: number;
  labels: string[];
  series: Record<string, (number | null)[]>;
};

const BASE_COLLECTION = 0;

/** The addresses to read, including those of every county and of some stations. */
export function checkedPaths(oracle: Oracle, stations: readonly string[]): string[] {
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

/** Finds the collection that an answer is from; throws when it is from none, or from several at once. */
export function identifyAnswer(oracle: Oracle, address: string, body: string, latest: number): IdentifiedAnswer {
  const answer = JSON.parse(body) as ApiAnswer;
  const collection = ANSWER_CHECKS.find(([path]) => path.test(address))?.[1](oracle, answer, address, latest);
  if (collection === undefined) throw new Error(`no check for ${address}`);
  return { collection, updatedAt: answer.actualizat_la };
}

/** The value of a day (`DD.MM`) in a history; `undefined` without that day or fuel. */
export function dayValue(body: string, label: string, fuel: string): number | null | undefined {
  const { labels, series } = JSON.parse(body) as ApiAnswer;
  return series[fuel]?.[labels.indexOf(label)];
}

type AnswerCheck = (oracle: Oracle, answer: ApiAnswer, address: string, latest: number) => number;

const ANSWER_CHECKS: readonly [RegExp, AnswerCheck][] = [
  [/\/preturi\/minime$/, checkNational],
  [/\/preturi$/, checkCities],
  [/\/retele$/, checkNetworks],
  [/\/statii/, checkStations],
  [/\/judete\//, checkCounty],
  [/\/istoric/, checkHistory],
];

function checkNational(oracle: Oracle, { preturi }: ApiAnswer, _: string, latest: number): number {
  const collection = collectionFrom(oracle, preturi.gpl?.min, oracle.national(BASE_COLLECTION).gpl?.min, latest);
  assert.deepEqual(preturi, oracle.national(collection));
  return collection;
}

function checkCities(oracle: Oracle, { rezultate, retele, total }: ApiAnswer, _: string, latest: number): number {
  const collection = collectionFrom(oracle, rezultate[0]?.benzina, oracle.cities(BASE_COLLECTION)[0]?.benzina, latest);
  const expected = oracle.cities(collection);
  assert.equal(total, expected.length);
  assert.deepEqual(pickExpectedFields(rezultate, expected), expected);
  const networks = oracle.networks(collection);
  assert.deepEqual(pickExpectedFields(retele, networks), networks);
  return collection;
}

function checkNetworks(oracle: Oracle, { retele }: ApiAnswer, _: string, latest: number): number {
  const collection = collectionFrom(
    oracle,
    retele.at(-1)?.motorina,
    oracle.networks(BASE_COLLECTION).at(-1)?.motorina,
    latest,
  );
  const expected = oracle.networks(collection);
  assert.deepEqual(pickExpectedFields(retele, expected), expected);
  return collection;
}

function checkStations(oracle: Oracle, answer: ApiAnswer, address: string, latest: number): number {
  const { statii, total, total_disponibil } = answer;
  const [first] = statii;
  const collection = collectionFrom(
    oracle,
    first?.pret,
    first && oracle.price(first.id, first.tip, BASE_COLLECTION),
    latest,
  );
  for (const { id, tip, pret } of statii) {
    assert.equal(pret, oracle.price(id, tip, collection), `${id} ${tip} of collection ${collection}`);
  }
  assert.deepEqual([total, statii.length], [PUBLIC_LIMITS.records, PUBLIC_LIMITS.records]);
  assert.equal(new Set(statii.map(({ id, tip }) => `${id} ${tip}`)).size, PUBLIC_LIMITS.records);
  assert.equal(total_disponibil, address.includes('tip=') ? oracle.ids.length : oracle.records);
  return collection;
}

function checkCounty(oracle: Oracle, answer: ApiAnswer, address: string, latest: number): number {
  const code = address.slice(address.lastIndexOf('/') + 1);
  const found = answer as unknown as Record<string, unknown>;
  const collection = collectionFrom(
    oracle,
    found.motorina_standard,
    oracle.county(code, BASE_COLLECTION).motorina_standard,
    latest,
  );
  const expected = oracle.county(code, collection);
  assert.deepEqual(pickExpectedFields([found], [expected]), [expected]);
  return collection;
}

/** Today's value in a history is the current price. */
function checkHistory(oracle: Oracle, { series }: ApiAnswer, address: string, latest: number): number {
  const id = address.split('/').at(-2) as string;
  const collection = collectionFrom(
    oracle,
    series.motorina_standard?.at(-1),
    oracle.price(id, 'motorina_standard', BASE_COLLECTION),
    latest,
  );
  for (const [fuel, values] of Object.entries(series)) {
    assert.equal(values.at(-1), oracle.price(id, fuel, collection), `${id} ${fuel} of collection ${collection}`);
  }
  assert.ok(Object.keys(series).length <= ROAD_FUELS.length);
  return collection;
}

function collectionFrom(oracle: Oracle, price: unknown, base: unknown, latest: number): number {
  if (typeof price !== 'number' || typeof base !== 'number') throw new Error(`no price to identify it by: ${price}`);
  const collection = oracle.collectionOf(price, base, latest);
  if (collection === null) throw new Error(`${price} is a price of no collection up to ${latest}`);
  return collection;
}

/** Keeps only the fields that the expected objects have. */
function pickExpectedFields(
  found: readonly Record<string, unknown>[],
  expected: readonly Record<string, unknown>[],
): unknown[] {
  const fields = Object.keys(expected[0] ?? {});
  return found.map((each) => Object.fromEntries(fields.map((field) => [field, each[field]])));
}
