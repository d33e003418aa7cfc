import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aNetwork,
  aSnapshot,
  aStation,
  manyRecords,
  recordsOf,
  trusted,
} from '../../../test/support/builders/snapshot-builders.ts';
import { loadGazetteer } from '../../geodata/load-gazetteer.ts';
import { readSearchText, type SearchText } from './search-text.ts';
import { prepareSearch, searchSite } from './site-search.ts';

const gazetteer = loadGazetteer();
const RECORDS = [
  ...recordsOf(aStation({ id: '00000000000a' }), { petrol: trusted(9_700), diesel: trusted(9_900) }),
  ...recordsOf(aStation({ id: '00000000000b', network: aNetwork('Rompetrol') }), { petrol: trusted(9_600) }),
  ...recordsOf(aStation({ id: '00000000000c' }), { lpg: trusted(4_200) }),
];
const text = (typed: string) => readSearchText(typed) as SearchText;

describe('the index of the search', () => {
  it('finds the same whether it was prepared or not', async () => {
    const snapshot = aSnapshot({ records: RECORDS });
    await prepareSearch(snapshot, gazetteer);
    for (const typed of ['cluj', 'motorină cluj', 'petrom', 'gpl'])
      assert.deepEqual(
        searchSite(text(typed), snapshot, gazetteer),
        searchSite(text(typed), { ...snapshot }, gazetteer),
        typed,
      );
    const found = searchSite(text('cluj'), snapshot, gazetteer).stations.map(({ station }) => station.id);
    assert.deepEqual(found, ['00000000000b', '00000000000a', '00000000000c'], 'cheapest first, then without a price');
  });

  it('has the words of its own snapshot when a station has another address than before', () => {
    const at = (address: string) =>
      aSnapshot({ records: recordsOf(aStation({ id: '00000000000a', address }), { petrol: trusted(9_700) }) });
    const found = (typed: string, snapshot: ReturnType<typeof at>) =>
      searchSite(text(typed), snapshot, gazetteer).stations.length;
    const [before, next] = [at('Strada Horea 1'), at('Strada Crișan 1')];
    assert.deepEqual([found('horea', before), found('crisan', before)], [1, 0]);
    assert.deepEqual([found('horea', next), found('crisan', next)], [0, 1]);
    assert.equal(found('crisan', at('Strada Crișan 1')), 1, 'the same words again');
  });

  it('is prepared in slices, so that other work comes in between', async () => {
    const snapshot = aSnapshot({ records: manyRecords(2_000) });
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await prepareSearch(snapshot, gazetteer);
    isDone = true;
    assert.ok(turns >= 2, `${turns} turns`);
  });
});
