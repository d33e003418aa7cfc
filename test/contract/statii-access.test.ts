import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StationRecord } from '../../src/snapshot/snapshot.ts';
import { newAddress } from '../support/builders/client-addresses.ts';
import { aNetwork, manyRecords, trusted } from '../support/builders/snapshot-builders.ts';
import { GuardedServices } from '../support/service/guarded-services.ts';
import { world } from '../support/worlds/contract-world.ts';

const PATH = '/api/v1/statii';
/** Thousandths of a RON: forty prices that recur. */
const priceAt = (index: number) => 7_000 + ((index * 7) % 40);
const RECORDS: readonly StationRecord[] = manyRecords(200, { network: aNetwork('OMV') }).map((record, index) => ({
  ...record,
  verdict: trusted(priceAt(index)),
}));
const IDS = [...new Set(RECORDS.map(({ station }) => station.id))].slice(0, 90);

let guarded: GuardedServices;
/** In turns, because a key may send five requests a second. */
const keys: string[] = [];
before(async () => {
  guarded = await GuardedServices.start(1, null, () => ({ snapshot: world({ records: RECORDS }) }));
  while (keys.length < 6) keys.push((await guarded.key()).key);
});
after(() => guarded.close());
const ask = (query: string, headers: Record<string, string>) => guarded.service.ask(`${PATH}?${query}`, { headers });
const anonymously = (query: string) => ask(query, { 'X-Forwarded-For': newAddress() });
const withKey = (query: string, key = nextKey()) => ask(query, { 'X-Forwarded-For': newAddress(), 'X-Api-Key': key });

function nextKey(): string {
  keys.push(keys.shift() as string);
  return keys[0] as string;
}

/** The ids of the rows of an answer in any format. */
function idsIn({ text, headers }: { text: string; headers: NodeJS.Dict<string | string[]> }): string[] {
  if (String(headers['content-type']).startsWith('text/csv')) {
    const rows = text.trimEnd().split('\r\n').slice(1);
    return rows.map((row) => row.split(',', 1)[0] as string);
  }
  const { statii, features } = JSON.parse(text);
  return (statii ?? features.map(({ properties }: { properties: { id: string } }) => properties)).map(
    ({ id }: { id: string }) => id,
  );
}

describe('GET /api/v1/statii → 200: filters, orders and formats change nothing about access', () => {
  for (const [query, all] of [
    ['', 400],
    ['format=geojson', 400],
    ['format=csv', 400],
    ['cu_pret=1', 400],
    ['sort=pret', 400],
    ['sort=pret&format=csv', 400],
    ['limita=390&format=geojson', 390],
    ['campuri=extins', 400],
    [`id=${IDS}`, 180],
    ['bbox=20,40,30,50', 400],
  ] as const) {
    test(`${query.slice(0, 30)}: 150 records without a key, all with one`, async () => {
      const few = await anonymously(query);
      assert.equal(few.status, 200);
      assert.equal(idsIn(few).length, 150);
      assert.equal(idsIn(await withKey(query)).length, all);
    });
  }

  test('a second request without a key is refused, whatever the format, in JSON', async () => {
    for (const format of ['json', 'geojson', 'csv']) {
      const from = { 'X-Forwarded-For': newAddress() };
      assert.equal((await ask(`format=${format}`, from)).status, 200);
      const { status, headers } = await ask(`format=${format}&sort=pret&limita=1`, from);
      assert.deepEqual([status, headers['content-type']], [429, 'application/json; charset=utf-8'], format);
    }
  });

  test('a request uses one unit of the quota, whatever it asks for', async () => {
    const { key } = await guarded.key();
    const left = async (query: string) => Number((await withKey(query, key)).headers['x-ratelimit-remaining']);
    const before = await left('');
    const queries = ['format=geojson', 'format=csv&sort=pret', `id=${IDS}&campuri=extins`];
    for (const [at, query] of queries.entries()) assert.equal(await left(query), before - at - 1, query);
  });

  test('the 150 cheapest are shown without a key, at one price in the usual order', async () => {
    const cheapest = [...RECORDS.entries()].sort(([a], [b]) => priceAt(a) - priceAt(b) || a - b).slice(0, 150);
    const answer = await anonymously('sort=pret');
    assert.deepEqual(
      answer.json.statii.map(({ id, tip }: { id: string; tip: string }) => `${id} ${tip}`),
      cheapest.map(([, { station, fuel }]) => `${station.id} ${fuel === 'petrol' ? 'benzina' : 'motorina'}_standard`),
    );
  });

  test('the first of the stations named by id are shown without a key, in the usual order', async () => {
    const { json } = await anonymously(`id=${IDS.toReversed()}`);
    assert.deepEqual(
      json.statii.map(({ id }: { id: string }) => id),
      RECORDS.slice(0, 150).map(({ station }) => station.id),
    );
    assert.equal(json.total_disponibil, 180);
  });

  test('what is left out is counted before a limit', async () => {
    const few = (await anonymously('limita=200')).json;
    assert.deepEqual([few.total, few.total_disponibil], [150, 400]);
    const { total, total_disponibil } = (await withKey('limita=200')).json;
    assert.deepEqual([total, total_disponibil], [200, undefined]);
  });

  test('CSV and GeoJSON say in `Pompa-Total` how many match the request, with a key or without', async () => {
    const headed = async (format: string, query: string) => {
      const replies = [await anonymously(`format=${format}&${query}`), await withKey(`format=${format}&${query}`)];
      return replies.map(({ headers }) => headers['pompa-total']);
    };
    for (const format of ['csv', 'geojson']) {
      assert.deepEqual(await headed(format, ''), ['400', '400'], format);
      assert.deepEqual(await headed(format, 'limita=10'), ['400', '400'], format);
      assert.deepEqual(await headed(format, `id=${IDS.slice(0, 3)}`), ['6', '6'], format);
      assert.deepEqual(await headed(format, 'oras=aiud'), ['0', '0'], format);
      // Cached from the second one on.
      assert.deepEqual(await headed(format, `id=${IDS.slice(0, 3)}`), ['6', '6'], format);
    }
    assert.deepEqual(await headed('json', ''), [undefined, undefined]);
  });
});
