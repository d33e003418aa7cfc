import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import { FeedClient } from '../../../test/support/changes/feed-client.ts';
import { changesAfter, readInto } from '../../../test/support/changes/feed-reader.ts';
import { type FoldedFeed, fold, stateOfSnapshot, type ToldReasons } from '../../../test/support/changes/folded-feed.ts';
import {
  at,
  COLLECTION_SETTINGS,
  emptyTables,
  FakeSource,
  type SourcePrices,
  setUpCollector,
} from '../../../test/support/collection/collector-fixture.ts';
import { ChangeLog } from '../../api/changes/change-log.ts';
import { parseCursor } from '../../domain/changes/cursor.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { servedCursor } from '../../store/changes/served-cursor.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { type HeldState, tellChanges } from './tell-changes.ts';

const HOUR = 3_600_000;
const list = new FakeSource('rompetrol');
const { database, fakeSource, bench } = setUpCollector(list);
let held: HeldState | null = null;
beforeEach(() => {
  held = null;
});

async function tell(): Promise<void> {
  const options = { db: database.kysely, settings: COLLECTION_SETTINGS, clock: () => bench.clock.now };
  held = await tellChanges(options, held, { force: false });
}

/** What a serving process serves at this moment. */
async function served(): Promise<Snapshot> {
  const facts = await inReadSnapshot(database.kysely, loadFacts);
  return buildSnapshot({ ...COLLECTION_SETTINGS, facts, now: bench.clock.now, history: new PriceHistory() });
}

const publish = (prices: SourcePrices, when: number = bench.clock.now) => {
  fakeSource.respondsWith(prices);
  return bench.run(new Date(when).toISOString(), { force: true });
};

const log = () => readInto(new ChangeLog(), database);
const kinds = async (after = 0) =>
  changesAfter(await log(), after).map(({ fel, tip, pret_vechi, pret_nou, motiv_vechi, motiv }) =>
    [fel, tip, pret_vechi, pret_nou, motiv_vechi, motiv].join(' '),
  );

describe('the first telling', () => {
  test('stores what is served and tells no change', async () => {
    await publish({ R1: { petrol: 7_500 } }, at('2026-11-20T08:00Z'));
    await tell();
    const reader = await log();
    assert.equal(reader.head?.seq, 0);
    const snapshot = await served();
    const cursor = reader.cursorOf(snapshot);
    assert.equal(parseCursor(cursor as string)?.seq, 0);
    assert.equal(await inReadSnapshot(database.kysely, (tx) => servedCursor(tx, snapshot)), cursor);
  });

  test('is left out while nothing was published', async () => {
    await tell();
    assert.equal((await log()).head, null);
  });
});

describe('a telling', () => {
  beforeEach(async () => {
    await publish({ R1: { petrol: 7_500, diesel: 7_800 }, R2: { petrol: 7_600 } }, at('2026-11-20T08:00Z'));
    await tell();
  });

  test('says what changed, a new station before its records and one that went after them', async () => {
    await publish({ R1: { petrol: 7_450, diesel: 7_800, lpg: 4_000 }, R3: { petrol: 7_700 } }, bench.clock.now + HOUR);
    await tell();
    assert.deepEqual((await kinds()).sort(), [
      'pret benzina_standard 7.5 7.45  ',
      'revenit benzina_standard  7.7 nu_se_vinde ',
      'revenit gpl  4 nu_se_vinde ',
      'statie_noua     ',
      'steag benzina_standard 7.6 7.6  orfan_anpc',
    ]);
    const { entries } = (await log()).after(0, null, 10);
    const added = entries.findIndex(({ text }) => text.includes('statie_noua'));
    assert.equal(entries[added]?.station, entries[added + 1]?.station);
    bench.clock.now += 91 * 24 * HOUR;
    await publish({ R1: { petrol: 7_450, diesel: 7_800, lpg: 4_000 }, R3: { petrol: 7_700 } });
    await tell();
    assert.deepEqual((await kinds(entries.at(-1)?.seq)).slice(-2), [
      'retras benzina_standard 7.6  orfan_anpc nu_se_vinde',
      'statie_disparuta     ',
    ]);
  });

  test('says what time alone changed, at the moment at which it does', async () => {
    bench.clock.now = held?.head.until as number;
    await tell();
    assert.deepEqual(await kinds(), [], 'midnight changes nothing');
    bench.clock.now = at('2026-11-21T08:00:00.001Z');
    await tell();
    assert.deepEqual((await kinds()).sort(), [
      'retras benzina_standard 7.5   expirat',
      'retras benzina_standard 7.6   expirat',
      'retras motorina_standard 7.8   expirat',
    ]);
  });

  test('is made once for each state, however many processes try', async () => {
    await publish({ R1: { petrol: 7_450, diesel: 7_800 }, R2: { petrol: 7_600 } }, bench.clock.now + HOUR);
    const options = { db: database.kysely, settings: COLLECTION_SETTINGS, clock: () => bench.clock.now };
    const tellers = Array.from({ length: 4 }, () => tellChanges(options, held, { force: false }));
    await Promise.all(tellers);
    await tell();
    assert.deepEqual(await kinds(), ['pret benzina_standard 7.5 7.45  ']);
  });

  test('judges again at the start of a process, in case the rules are others', async () => {
    const options = {
      db: database.kysely,
      settings: { ...COLLECTION_SETTINGS, inService: [] },
      clock: () => bench.clock.now,
    };
    await tellChanges(options, null, { force: true });
    assert.equal((await kinds()).length, 5);
  });

  test('comes after the one before it even when a clock was set back: no two states have the same moment', async () => {
    bench.clock.now -= 5 * HOUR;
    await tellChanges(
      { db: database.kysely, settings: { ...COLLECTION_SETTINGS, inService: [] }, clock: () => bench.clock.now },
      held,
      { force: true },
    );
    assert.equal((await log()).head?.from, at('2026-11-20T08:00:00.001Z'));
  });
});

test('a publication that was skipped leads nobody on: from its snapshot a client begins again', async () => {
  await publish({ R1: { petrol: 7_500 } }, at('2026-11-20T08:00Z'));
  await tell();
  const reader = await log();
  await publish({ R1: { petrol: 7_400 } }, bench.clock.now + HOUR);
  const cursor = parseCursor(reader.cursorOf(await served()) as string);
  assert.deepEqual([cursor?.seq, cursor?.ahead?.version], [0, 2]);
  await publish({ R1: { petrol: 7_500 } }, bench.clock.now + HOUR);
  await tell();
  await readInto(reader, database);
  assert.deepEqual(changesAfter(reader, 0), [], 'back at the price told before');
  assert.equal(reader.placeOf(cursor as NonNullable<typeof cursor>), null);
});

describe('the feed', () => {
  const aPrice = fc.option(fc.constantFrom(7_400, 7_500, 7_600), { nil: null });
  const aSource = fc.dictionary(
    fc.constantFrom('R1', 'R2', 'R3', 'R4'),
    fc.record({ petrol: aPrice, petrol_premium: aPrice, diesel: aPrice }, { requiredKeys: [] }),
    { minKeys: 1 },
  );
  const aStep = fc.record({
    pass: fc.constantFrom(0.1, 1, 5, 23, 25, 24 * 16, 24 * 40, 24 * 100),
    publish: fc.option(fc.record({ source: fc.constantFrom('register', 'rompetrol'), prices: aSource }), { nil: null }),
    tells: fc.boolean(),
    /** Whether a process that lags behind the others reads what was told. */
    isRead: fc.boolean(),
  });

  test('folded is what is served at every told state; each before is the previous after; all readers have the same bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 12 }), async (steps) => {
        await emptyTables(database);
        held = null;
        await publish({ R1: { petrol: 7_500 } }, at('2026-03-02T08:00Z'));
        await tell();
        const reader = await log();
        const exact: FoldedFeed = stateOfSnapshot(await served());
        const reasons: ToldReasons = new Map();
        let seq = 0;
        const late = await log();
        /** Clients that began at a snapshot, told or not, with its cursor of either process, and never read on. */
        const idle: { state: FoldedFeed; cursor: string }[] = [];
        /** The same clients, which read on from page to page, at either process. */
        let busy: FeedClient[] = [];
        const readOn = async (from: ChangeLog) => {
          const all = await Promise.all(busy.map(async (client) => ((await client.readOn(from)) ? client : null)));
          busy = all.filter((client) => client !== null);
        };
        for (const step of steps) {
          bench.clock.now += step.pass * HOUR;
          if (step.publish !== null) {
            const { source, prices } = step.publish;
            (source === 'register' ? fakeSource : list).respondsWith(prices as SourcePrices);
            await bench.run(new Date(bench.clock.now).toISOString(), { force: true, sources: [source] });
          }
          const shown = await served();
          for (const cursor of [reader.cursorOf(shown), late.cursorOf(shown)]) {
            if (cursor === null) continue;
            idle.push({ state: stateOfSnapshot(shown), cursor });
            busy.push(new FeedClient(stateOfSnapshot(shown), cursor));
          }
          await readOn(late);
          if (step.isRead) await readInto(late, database);
          await readOn(reader);
          if (!step.tells) continue;
          await tell();
          await readInto(reader, database);
          fold(exact, changesAfter(reader, seq), { isExact: true, reasons });
          seq = reader.head?.seq as number;
          const now = stateOfSnapshot(await served());
          assert.deepEqual(new Map([...exact].sort()), new Map([...now].sort()));
          await readOn(reader);
          for (const { state } of busy) assert.deepEqual(new Map([...state].sort()), new Map([...now].sort()));
          for (const client of idle) {
            const place = reader.placeOf(parseCursor(client.cursor) as NonNullable<ReturnType<typeof parseCursor>>);
            // Its publication was never told, only a later one: it begins again.
            if (place === null) continue;
            const state = new Map(client.state);
            fold(state, changesAfter(reader, place.seq), { isExact: false });
            assert.deepEqual(new Map([...state].sort()), new Map([...now].sort()));
          }
        }
        assert.deepEqual(changesAfter(await log(), 0), changesAfter(reader, 0));
      }),
      { numRuns: Number(process.env.FOLD_RUNS ?? 4) },
    );
  });
});
