import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSnapshot, aStation, doubtful, recordsOf, trusted } from '../../../test/support/builders/snapshot-builders.ts';
import { FUELS } from '../../domain/fuel.ts';
import { prepareStationLookup, rankByPrice, stationLookup } from './station-prices.ts';

const seen = (day: string) => ({ observed: { day, at: null, text: null } });
const RECORDS = [
  ...recordsOf(aStation({ id: '00000000000c' }), { petrol: trusted(9_590), diesel: doubtful(9_000, 'stuck', null) }),
  ...recordsOf(aStation({ id: '00000000000b' }), {
    petrol: trusted(9_600),
    adblue: trusted(4_000, seen('2026-01-01')),
  }),
  ...recordsOf(aStation({ id: '00000000000a' }), { petrol: trusted(9_590, seen('2026-11-17')) }),
];

describe('the stations of a snapshot', () => {
  it('are ranked by trusted prices, then by id', () => {
    const ranked = rankByPrice(stationLookup(aSnapshot({ records: RECORDS })).stations, 'petrol');
    assert.deepEqual(
      ranked.map(({ station, price }) => [station.id.at(-1), price]),
      [
        ['a', 9_590],
        ['c', 9_590],
        ['b', 9_600],
      ],
    );
  });

  it('have as the cheapest of each fuel the first of its ranking', () => {
    const { stations, cheapest } = stationLookup(aSnapshot({ records: RECORDS }));
    for (const fuel of FUELS)
      assert.equal(cheapest.get(fuel)?.station.id, rankByPrice(stations, fuel)[0]?.station.id, fuel);
  });

  it('have the day of the oldest price of a road fuel that counts', () => {
    assert.equal(stationLookup(aSnapshot({ records: RECORDS })).oldestPrice, '2026-11-17');
    assert.equal(stationLookup(aSnapshot({ records: [] })).oldestPrice, null);
  });

  it('are the same whether they were prepared or not', async () => {
    const snapshot = aSnapshot({ records: RECORDS });
    await prepareStationLookup(snapshot);
    const prepared = stationLookup(snapshot);
    await prepareStationLookup(snapshot);
    assert.equal(stationLookup(snapshot), prepared);
    assert.deepEqual(prepared, stationLookup({ ...snapshot }));
  });
});
