import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  COLLECTION_SETTINGS,
  type CollectorFixture,
  collectorFixture,
} from '../../../test/support/collection/collector-fixture.ts';
import { rebuild, replayServedDays } from '../../../test/support/collection/replay-fixture.ts';
import { answersOf } from '../../../test/support/database/price-answers.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { IS_SHORT } from '../../../test/support/run-settings.ts';
import { MONTH, monthOfSources, RUN_TIMES } from '../../../test/support/worlds/archived-month.ts';

const LAST = RUN_TIMES.at(-1) as number;
const SOURCES = ['register', 'rompetrol', 'locator:mol'];
/** Right after the last run, and when every source has been silent for longer than a day. */
const LOOKS = [LAST, LAST + 40 * 3_600_000];

let dataDir: string;
const databases: TestDatabase[] = [];

before(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'pompa-month-'));
});
after(async () => {
  for (const database of databases) await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The month in its own database: collected, or read from the archive. */
async function theMonth(fromArchive: boolean): Promise<CollectorFixture> {
  const database = await testDatabase();
  databases.push(database);
  let now = 0;
  const bench = collectorFixture(
    database,
    dataDir,
    monthOfSources(() => now),
  );
  for (const at of RUN_TIMES) {
    now = fromArchive ? Number.NaN : at;
    const order = fromArchive ? { at, fromArchive, scheduled: false } : {};
    // A replay happens long after: only the run's own time may count.
    const when = new Date(fromArchive ? at + 90 * 86_400_000 : at).toISOString();
    const { runs } = await bench.run(when, { sources: SOURCES, ...order });
    assert.deepEqual(
      runs.map(({ reason }) => reason),
      [null, null, null],
    );
  }
  return bench;
}

describe('a month of archived payloads', () => {
  let collected: CollectorFixture;
  let again: CollectorFixture;
  before(async () => {
    collected = await theMonth(false);
    again = await theMonth(true);
  });

  test('collected from the archive gives the same bytes for every price answer as the live collection', async () => {
    const replays = IS_SHORT ? [again] : [again, await theMonth(true)];
    for (const now of LOOKS) {
      const live = await answersOf(collected.database, COLLECTION_SETTINGS, now);
      assert.ok(live.size > 300);
      for (const replay of replays) {
        const bytes = await answersOf(replay.database, COLLECTION_SETTINGS, now);
        assert.deepEqual([...bytes.keys()], [...live.keys()]);
        for (const [address, body] of live) assert.ok(bytes.get(address)?.equals(body), `${address} at ${now}`);
      }
    }
  });

  test('replayed by the same rules changes no stored day, and contains every kind of verdict', async () => {
    const { changed, leftOut, version } = await rebuild(again, MONTH);
    assert.deepEqual([changed.size, version], [0, null]);
    assert.deepEqual(
      leftOut.flatMap((why, index) => (why === null ? [] : [`${index} ${why}`])),
      ['17 no archived run'],
    );
    const days = await Array.fromAsync(replayServedDays(collected, MONTH));
    assert.deepEqual(days, await Array.fromAsync(replayServedDays(again, MONTH)));
    const kinds = new Set(days.flatMap(({ prices }) => prices.map(({ verdict, reason }) => reason ?? verdict)));
    assert.deepEqual([...kinds].sort(), ['expired', 'incoherent', 'orphaned', 'relied', 'stale', 'stuck', 'unknown']);
    const sources = new Set(days.flatMap(({ prices }) => prices.map(({ source }) => source)));
    assert.deepEqual([...sources].sort(), [null, 'register', 'rompetrol'].sort());
  });
});
