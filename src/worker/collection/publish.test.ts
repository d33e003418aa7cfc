import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  failingAtCommit,
  type SourcePrices,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { listRuns } from '../../store/prices/runs.ts';

const { database, fakeSource, bench } = setUpCollector();

/** Twelve stations with petrol, each at the price computed from its number. */
function dozen(priceOf: (station: number) => number): SourcePrices {
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`R${index + 1}`, { petrol: priceOf(index + 1) }]),
  );
}

describe('a publication that is cut off before its end', () => {
  test('stores no price, no station, no day and no run; the next one is complete', async () => {
    fakeSource.respondsWith(dozen(() => 7_000));
    await bench.run('2026-11-20T08:00Z');
    const earlier = await storedState(database);
    fakeSource.respondsWith({ ...dozen(() => 7_010), R13: { lpg: 3_500 } });
    await failingAtCommit(database, () => assert.rejects(bench.run('2026-11-20T10:00Z'), /cut_off/));
    assert.deepEqual(await storedState(database), earlier);
    assert.equal((await listRuns(database.kysely, 10)).length, 1);

    assert.equal((await bench.run('2026-11-20T12:00Z')).version, 2);
    assert.equal((await storedState(database)).prices.length, 13);
  });
});

describe('implausible prices', () => {
  test('do not count as rows for the plausibility check: a run that is half garbage is set aside', async () => {
    fakeSource.respondsWith(dozen(() => 7_000));
    for (const hour of ['08', '10', '12']) await bench.run(`2026-11-20T${hour}:00Z`);
    fakeSource.respondsWith(dozen((station) => (station % 2 === 0 ? 7_000 : 99_000)));
    const { runs } = await bench.run('2026-11-20T14:00Z');
    assert.deepEqual(
      runs.map(({ outcome, reason }) => [outcome, reason]),
      [['set_aside', '6 valid rows, fewer than 60 % of the usual 12']],
    );
  });
});
