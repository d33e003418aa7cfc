/** The dumps and the feed of changes together: where the feed leads on, and what was served month by month. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { changesAfter, readInto } from '../../../test/support/changes/feed-reader.ts';
import {
  at,
  COLLECTION_SETTINGS,
  FakeSource,
  type SourcePrices,
  setUpCollector,
} from '../../../test/support/collection/collector-fixture.ts';
import { ChangeLog } from '../../api/changes/change-log.ts';
import { type Cursor, parseCursor } from '../../domain/changes/cursor.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import type { DumpManifest } from '../../dumps/manifest.ts';
import { readManifest } from '../../dumps/published/dump-folder.ts';
import { REASON_CODES } from '../../dumps/tables/reason-codes.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { servedRecordsOf } from '../../snapshot/served-records.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { type HeldState, tellChanges } from '../changes/tell-changes.ts';
import { makeDump } from './make-dump.ts';

const list = new FakeSource('rompetrol');
const { database, fakeSource, bench } = setUpCollector(list);
const BOTH = { sources: ['register', 'rompetrol'] };
const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-dumps-'));
after(() => rmSync(folder, { recursive: true }));

let held: HeldState | null = null;
async function publish(when: string, prices: SourcePrices, listed: SourcePrices): Promise<void> {
  fakeSource.respondsWith(prices);
  list.respondsWith(listed);
  await bench.run(when, { ...BOTH, force: true });
  const options = { db: database.kysely, settings: COLLECTION_SETTINGS, clock: () => bench.clock.now };
  held = await tellChanges(options, held, { force: false });
}

const dump = (allowed: readonly string[] = BOTH.sources) =>
  makeDump(database.kysely, {
    ...{ folder, allowed, settings: COLLECTION_SETTINGS, publicUrl: 'https://pompa.example', simulated: false },
    ...{ now: bench.clock.now, correction: null, signal: new AbortController().signal },
  });

/** The rows of a file, by the names of their columns. */
function rowsOf(name: string): Record<string, string>[] {
  const [head = '', ...lines] = gunzipSync(readFileSync(path.join(folder, name)))
    .toString()
    .trimEnd()
    .split('\r\n');
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])));
}

/** `price reason` by `station fuel`, of records that have a price. */
type Prices = Map<string, string>;

async function served(): Promise<Prices> {
  const facts = await inReadSnapshot(database.kysely, loadFacts);
  const snapshot = buildSnapshot({ ...COLLECTION_SETTINGS, facts, now: bench.clock.now, history: new PriceHistory() });
  return pricesOf(
    servedRecordsOf(snapshot).map(({ station, fuel, served: { price, reason } }) => ({
      ...{ statie_id: station, tip: FUEL_CODE[fuel] },
      ...{ pret: price === null ? '' : price / 1000, motiv: reason === null ? '' : REASON_CODES[reason] },
    })),
  );
}

type Row = { statie_id: string; tip: string | null; pret: number | string | null; motiv: string | null };

/** What rows or changes, in order, make of prices. */
function pricesOf(rows: readonly Row[], from: Prices = new Map()): Prices {
  const prices = new Map(from);
  for (const { statie_id, tip, pret, motiv } of rows)
    if (pret === null || pret === '') prices.delete(`${statie_id} ${tip}`);
    else prices.set(`${statie_id} ${tip}`, `${pret} ${motiv ?? ''}`);
  return prices;
}

const dumpedPrices = () =>
  pricesOf(rowsOf('preturi/preturi.csv.gz').map((row) => ({ ...(row as Row), motiv: row.motiv_nesigur ?? '' })));
const servedFile = (month: string) => rowsOf(`servite/an=2026/servite-${month}.csv.gz`);
const told = (month: string) =>
  servedFile(month).map(({ fel, pret_vechi, pret_nou, motiv, sursa }) =>
    [fel, pret_vechi, pret_nou, motiv, sursa].join(' '),
  );

/** Of two sources: prices that move, come and go, one that passes from a source to the other, and doubtful ones. */
async function twoMonths(): Promise<Prices> {
  await publish('2026-10-30T08:00Z', { R1: { petrol: 7_000, diesel: 7_500 } }, { R9: { petrol: 7_900 } });
  const before = await served();
  await publish('2026-10-31T08:00Z', { R1: { petrol: 7_010, diesel: 7_500 } }, { R9: { petrol: 7_950 } });
  await publish('2026-10-31T22:30Z', { R1: { petrol: 7_020 } }, { R1: { petrol: 7_030 }, R9: { petrol: 8_000 } });
  await publish('2026-11-01T08:00Z', { R1: { petrol: 7_020, diesel: 7_600 } }, { R9: { diesel: 8_100 } });
  return before;
}

beforeEach(() => {
  held = null;
  rmSync(folder, { recursive: true, force: true });
});

describe('the cursor of the dumps', () => {
  test('is where the feed leads on from their prices to what is served', async () => {
    await twoMonths();
    await dump();
    assert.deepEqual(dumpedPrices(), await served());

    await publish('2026-11-02T07:00Z', { R1: { petrol: 7_100 }, R2: { petrol: 7_200 } }, { R9: { diesel: 8_100 } });
    const { cursor } = readManifest(folder) as DumpManifest;
    const log = await readInto(new ChangeLog(), database);
    const place = log.placeOf(parseCursor(String(cursor)) as Cursor);
    const changes = changesAfter(log, place?.seq as number);
    const folded = pricesOf(
      changes.map(({ statie_id, tip, pret_nou: pret, motiv }) => ({ statie_id, tip, pret, motiv })),
      dumpedPrices(),
    );
    assert.ok(changes.length > 0);
    assert.deepEqual(folded, await served());
    assert.notDeepEqual(folded, dumpedPrices());
  });

  test('is null while nothing was told', async () => {
    fakeSource.respondsWith({ R1: { petrol: 7_000 } });
    await bench.run('2026-11-20T08:00Z');
    await dump();
    assert.equal(readManifest(folder)?.cursor, null);
  });
});

describe('the served changes in the dumps', () => {
  test('lead from what was served to what is, month by month in Bucharest', async () => {
    const before = await twoMonths();
    await dump();
    const rows = ['2026-10', '2026-11'].flatMap(servedFile);
    const folded = pricesOf(
      rows.map(({ pret_nou, ...row }) => ({ ...(row as Row), pret: pret_nou ?? '' })),
      before,
    );
    assert.deepEqual(folded, await served());
    assert.deepEqual(
      rows.map(({ nr }) => Number(nr)),
      rows.map(({ nr }) => Number(nr)).toSorted((a, b) => a - b),
    );
    assert.deepEqual(new Set(servedFile('2026-10').map(({ zi }) => zi)), new Set(['2026-10-31']));
    assert.deepEqual(told('2026-10').toSorted(), ['pret 7 7.01  register', 'pret 7.9 7.95  rompetrol']);
  });

  test('show no price of a source that may not be dumped', async () => {
    await twoMonths();
    await dump(['register']);
    const rows = [...told('2026-10'), ...told('2026-11')];
    assert.ok(rows.length > 3);
    for (const price of ['7.9', '7.95', '7.03', '8', '8.1'])
      assert.ok(!rows.some((row) => row.split(' ').includes(price)), price);
    assert.deepEqual([...new Set(rows.map((row) => row.split(' ').at(-1)))], ['register']);
  });

  test('are the same bytes when they are made again', async () => {
    await twoMonths();
    await dump();
    const hashes = () => readManifest(folder)?.files.map(({ path: name, sha256 }) => `${name} ${sha256}`);
    const before = hashes();
    rmSync(folder, { recursive: true });
    await dump();
    assert.deepEqual(hashes(), before);
    assert.ok(before?.some((file) => file.startsWith('servite/an=2026/servite-2026-11.parquet')));
  });

  test('of a past month are the same bytes although another source tells of its prices later', async () => {
    await publish('2026-10-30T08:00Z', { R1: { petrol: 7_000 } }, {});
    await publish('2026-10-31T08:00Z', { R1: { petrol: 7_010 } }, {});
    await publish('2026-11-01T08:00Z', { R1: { petrol: 7_010 } }, {});
    const october = async () => {
      rmSync(folder, { recursive: true, force: true });
      await dump(['register']);
      return told('2026-10');
    };
    assert.deepEqual(await october(), ['pret 7 7.01  register']);
    await publish('2026-11-02T08:00Z', { R1: { petrol: 7_010 } }, { R1: { petrol: 7_020 } });
    assert.deepEqual(await october(), ['pret 7 7.01  register']);
  });

  test('continue the month before: whose price it was is known from there', async () => {
    await publish('2026-10-05T08:00Z', { R2: { petrol: 7_300 } }, { R1: { petrol: 6_900 } });
    await publish('2026-10-06T08:00Z', { R1: { petrol: 7_000 }, R2: { petrol: 7_300 } }, {});
    await publish('2026-11-20T08:00Z', { R1: { petrol: 7_010 }, R2: { petrol: 7_300 } }, { R1: { petrol: 6_900 } });
    await publish('2026-12-05T08:00Z', { R1: { petrol: 7_020 }, R2: { petrol: 7_300 } }, {});
    await dump(['register']);
    const rows = ['2026-10', '2026-11', '2026-12']
      .flatMap(servedFile)
      .map(({ fel, pret_vechi, motiv_vechi, pret_nou }) => [fel, pret_vechi, motiv_vechi, pret_nou].join(' '));
    assert.deepEqual(rows, ['revenit  alta_sursa 7', 'pret 7  7.01', 'pret 7.01  7.02']);
  });

  test('of a month are made only while all of it is kept, and the month before it', async () => {
    await twoMonths();
    await publish('2026-12-10T08:00Z', { R1: { petrol: 7_100 } }, {});
    await publish('2027-01-10T08:00Z', { R1: { petrol: 7_200 } }, {});
    bench.clock.now = at('2027-02-01T10:00Z');
    await dump();
    const months = () => [
      ...new Set(
        readManifest(folder)
          ?.files.filter(({ table }) => table === 'servite')
          .map(({ month }) => month),
      ),
    ];
    assert.deepEqual(months(), ['2026-10', '2026-11', '2026-12', '2027-01']);
    rmSync(folder, { recursive: true });
    bench.clock.now = at('2027-02-09T10:00Z');
    await dump();
    assert.deepEqual(months(), ['2027-01'], 'what December continues is gone');
  });
});
