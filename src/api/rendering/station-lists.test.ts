import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aNetwork, manyRecords } from '../../../test/support/builders/snapshot-builders.ts';
import { TURZII, world } from '../../../test/support/worlds/contract-world.ts';
import { StationLists, type StationQuery, type StationRefinement } from './station-lists.ts';

const NOTHING: StationRefinement = {
  ids: null,
  box: null,
  county: null,
  cities: null,
  priced: false,
  undoubted: false,
  maxAgeDays: null,
  order: undefined,
  limit: null,
  extended: false,
};
const refined = (refinement: Partial<StationRefinement>): StationQuery => ({
  brand: '',
  fuel: undefined,
  geoFilter: null,
  fullSet: true,
  refinement: { ...NOTHING, ...refinement },
});

test('requests that mean the same share one body, however long and different their words are', async () => {
  const lists = await StationLists.render(world({}));
  const spellings: [Partial<StationRefinement>, Partial<StationRefinement>][] = [
    [{ ids: [TURZII] }, { ids: [TURZII, TURZII, 'z'.repeat(8_000)] }],
  ];
  for (const [one, other] of spellings) {
    lists.render(refined(one));
    assert.equal(lists.render(refined(one)), lists.render(refined(other)));
  }
});

test('requests that mean different things share none', async () => {
  const lists = await StationLists.render(world({}));
  const bodies = [
    { cities: ['targu-mures'] },
    { cities: [] },
    { ids: [] },
    { ids: [TURZII] },
    { ids: [TURZII], extended: true },
    { county: 'CJ' },
    { box: { west: 20, south: 40, east: 30, north: 50 } },
    { limit: 3 },
    { order: 'price' as const },
    { priced: true },
    { undoubted: true },
    { maxAgeDays: 3 },
  ].flatMap((refinement) =>
    [refined(refinement), { ...refined(refinement), fullSet: false }].map((query) => {
      lists.render(query);
      return lists.render(query);
    }),
  );
  assert.equal(new Set(bodies).size, bodies.length);
});

test('a list of the whole country in an order of its own is not kept: it would displace hundreds of others', async () => {
  const lists = await StationLists.render(world({ records: manyRecords(2_000, { network: aNetwork('OMV') }) }));
  const whole = refined({ order: 'price' });
  lists.render(whole);
  assert.ok(lists.render(whole).length > 500_000);
  assert.notEqual(lists.render(whole), lists.render(whole));
});
