/** The dumps and the feed of changes together are a copy of what is served. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { changesAfter, readInto } from '../../../test/support/changes/feed-reader.ts';
import { type FoldedFeed, fold, stateOfSnapshot } from '../../../test/support/changes/folded-feed.ts';
import { at, COLLECTION_SETTINGS, setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { ChangeLog } from '../../api/changes/change-log.ts';
import { parseCursor } from '../../domain/changes/cursor.ts';
import { readManifest } from '../../dumps/published/dump-folder.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { inReadSnapshot, loadFacts } from '../../store/prices/publication.ts';
import { tellChanges } from '../changes/tell-changes.ts';
import { makeDump } from './make-dump.ts';

const { database, dataDir, fakeSource, bench } = await setUpCollector();
const folder = path.join(dataDir, 'dumps');
const settings = COLLECTION_SETTINGS;

const tell = () => tellChanges({ db: database.kysely, settings, clock: () => bench.clock.now }, null, { force: false });

const dump = () =>
  makeDump(database.kysely, {
    ...{ folder, allowed: ['register'], settings, publicUrl: 'https://pompa.example', simulated: false },
    ...{ now: bench.clock.now, correction: null, signal: new AbortController().signal },
  });

/** The prices of the dump, as a client reads them. */
function dumped(): FoldedFeed {
  const [head = '', ...lines] = gunzipSync(readFileSync(path.join(folder, 'preturi/preturi.csv.gz')))
    .toString()
    .trim()
    .split(/\r?\n/);
  const names = head.split(',');
  return new Map(
    lines.map((line) => {
      const cells = line.split(',');
      const cell = (name: string) => cells[names.indexOf(name)] ?? '';
      const reason = cell('motiv_nesigur') || 'null';
      return [`${cell('statie_id')} ${cell('tip')}`, `${cell('pret')} ${reason}`];
    }),
  );
}

const priced = (state: FoldedFeed) => [...state].filter(([, price]) => !price.startsWith('null ')).sort();

async function served(): Promise<FoldedFeed> {
  const facts = await inReadSnapshot(database.kysely, loadFacts);
  return stateOfSnapshot(buildSnapshot({ ...settings, facts, now: bench.clock.now, history: new PriceHistory() }));
}

test('the prices of a dump, and the changes after its cursor, are what is served', async () => {
  fakeSource.respondsWith({ R1: { petrol: 7_500, diesel: 7_800 }, R2: { petrol: 7_600 } });
  await bench.run('2026-11-20T08:00Z');
  await dump();
  assert.equal(readManifest(folder)?.cursor, null, 'nothing was told yet');
  await tell();
  await dump();
  const cursors = [{ state: dumped(), cursor: readManifest(folder)?.cursor }];
  fakeSource.respondsWith({ R1: { petrol: 7_450, diesel: 7_800, lpg: 4_000 }, R3: { petrol: 7_700 } });
  await bench.run('2026-11-20T14:00Z', { force: true });
  // Published but not told: the cursor runs ahead.
  await dump();
  cursors.push({ state: dumped(), cursor: readManifest(folder)?.cursor });
  await tell();
  await dump();
  cursors.push({ state: dumped(), cursor: readManifest(folder)?.cursor });
  bench.clock.now = at('2026-11-21T08:30Z');
  fakeSource.respondsWith({ R1: { petrol: 7_460 } });
  await bench.run('2026-11-21T08:30Z', { force: true });
  await tell();
  const log = await readInto(new ChangeLog(), database);
  const now = priced(await served());
  for (const { state, cursor } of cursors) {
    const place = log.placeOf(parseCursor(cursor ?? '') ?? assert.fail(`${cursor} is no cursor`));
    assert.notDeepEqual(priced(state), now);
    fold(state, changesAfter(log, place?.seq ?? assert.fail('the cursor is gone')), { isExact: false });
    assert.deepEqual(priced(state), now);
  }
});
