import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, test } from 'node:test';
import {
  at,
  collectorFixture,
  emptyTables,
  type SourcePrices,
  setUpCollector,
  storedState,
} from '../../../test/support/collection/collector-fixture.ts';
import { listArchives } from '../../sources/archive/archive.ts';

const { database, dataDir, fakeSource, bench } = setUpCollector();

const EIGHT = '2026-11-20T08:00:00.000Z';
const TEN = '2026-11-20T10:00:00.000Z';
const NOON = '2026-11-20T12:00:00.000Z';

/** Twelve stations with petrol at one price. */
function dozen(price: number): SourcePrices {
  return Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`R${index + 1}`, { petrol: price }]));
}

describe('the archive of a collection', () => {
  test('is named after the run’s clock and replays to the same facts, to the byte', async () => {
    const runs: [string, SourcePrices][] = [
      [EIGHT, { R1: { petrol: 7_000 }, R2: { petrol: null } }],
      [TEN, { R1: { petrol: 7_100 } }],
      [NOON, { R1: { petrol: 7_100 }, R2: { petrol: 7_200 } }],
    ];
    for (const [when, stations] of runs) {
      fakeSource.respondsWith(stations);
      await bench.run(when, { force: true });
    }
    const live = await storedState(database);
    assert.deepEqual(
      await listArchives(dataDir, 'register'),
      [EIGHT, TEN, NOON].map((when) => at(when)),
    );

    await emptyTables(database);
    fakeSource.failsWith('a replay must send no request');
    for (const [when] of runs) {
      await bench.run('2026-11-21T09:00Z', { at: at(when), fromArchive: true, force: true, scheduled: false });
    }
    assert.deepEqual(await storedState(database), live);
    const again = { at: at(NOON), fromArchive: true, force: true, scheduled: false };
    await bench.run('2026-11-21T09:00Z', again);
    assert.deepEqual(
      { ...(await storedState(database)), version: live.version },
      live,
      'a second replay changes nothing',
    );
  });

  test('of a run that was set aside remains, so that an operator can force it later', async () => {
    fakeSource.respondsWith(dozen(7_000));
    await bench.run(EIGHT);
    fakeSource.respondsWith(dozen(8_200));
    await bench.run(TEN);
    const { runs } = await bench.run(NOON, { at: at(TEN), fromArchive: true, force: true, scheduled: false });
    assert.equal(runs[0]?.outcome, 'delivered');
  });

  test('fails only its source when it is missing, and the error lists the existing times', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run(EIGHT);
    const { runs } = await bench.run(TEN, { at: at(NOON), fromArchive: true, scheduled: false });
    assert.match(runs[0]?.reason ?? '', /^no archived run of register at 2026-11-20T12:00:00\+00:00; the nearest are/);
  });

  test('does not fail the collection when it cannot be stored; a warning is logged', async () => {
    fakeSource.answer = async () => {
      await rm(dataDir, { recursive: true });
      return { stations: { R1: { petrol: 7_000 } } };
    };
    assert.equal((await bench.run(EIGHT)).version, 1);
    assert.match(bench.warnings.join(), /^the raw payloads could not be kept, the run cannot be replayed: ENOENT/);
  });

  test('fails the source cleanly when the disk cannot be written to', async () => {
    await rm(dataDir, { recursive: true });
    const broken = collectorFixture(database, '/dev/null/pompa', [fakeSource.respondsWith({ R1: { petrol: 7_000 } })]);
    const { runs, version } = await broken.run(EIGHT);
    assert.equal(version, null);
    assert.match(runs[0]?.reason ?? '', /ENOTDIR/);
  });
});
