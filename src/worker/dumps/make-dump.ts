/**
 * Makes the dumps of a folder: everything current, and the months that are not final yet. All files are of one moment
 * of the database; the same moment gives the same bytes. Rows are read and written some thousand at a time.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { bucharestDay, dayNumber } from '../../domain/days.ts';
import { DUMP_PATH } from '../../domain/pages/dump-path.ts';
import type { DumpFile, DumpManifest, Erratum } from '../../dumps/manifest.ts';
import { preparationFolder, readManifest, removeAbandoned } from '../../dumps/published/dump-folder.ts';
import { CURRENT_PRICE_TABLE } from '../../dumps/tables/current-price-table.ts';
import { STATION_TABLE } from '../../dumps/tables/station-table.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { buildSnapshot } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { servedCursor } from '../../store/changes/served-cursor.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { inDumpSnapshot } from '../../store/dumps/dump-transaction.ts';
import { readFirstSeen } from '../../store/dumps/read-first-seen.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { loadSourceStations } from '../../store/prices/stations.ts';
import { type DumpOptions, DumpRefused, type DumpReport, totals } from './dump-options.ts';
import { type MonthTask, planMonths } from './dump-plan.ts';
import { currentPrices, dumpedStations } from './dumped-stations.ts';
import { dailyPriceMonths, type MonthlyTable, priceChangeMonths, servedChangeMonths } from './month-tables.ts';
import { publishDump } from './publish-dump.ts';
import { lastRevision, settleMonth } from './settle-months.ts';
import { writeTable } from './write-table.ts';

/** Files as they are prepared and as they are called when published. */
type Prepared = {
  readonly files: readonly DumpFile[];
  readonly placed: readonly { readonly from: string; readonly to: string }[];
  readonly errata: readonly Erratum[];
  /** A final month without rows, as `table/YYYY-MM`. */
  readonly empty?: string;
};

/** What is served at the moment of the dumps, and where the feed of changes leads on from it. */
type Moment = { readonly snapshot: Snapshot; readonly cursor: string | null };

type PreparedTables = Moment & { readonly prepared: readonly Prepared[] };

/**
 * Makes and publishes the dumps. Rejects with `DumpRefused`, and publishes nothing, if nothing was collected yet or a
 * final month differs from what was published and nobody says why. Let no two run on one folder.
 */
export async function makeDump(db: Kysely<Schema>, options: DumpOptions): Promise<DumpReport> {
  const { folder } = options;
  makeDirectory(folder);
  await removeAbandoned(folder);
  const preparing = preparationFolder(folder);
  makeDirectory(preparing);
  try {
    const published = readManifest(folder);
    const prepared = await inDumpSnapshot(db, (tx) => prepare(tx, preparing, published, options));
    return await publish(prepared, preparing, published, options);
  } finally {
    await rm(preparing, { recursive: true, force: true });
  }
}

async function prepare(
  tx: Kysely<Schema>,
  preparing: string,
  published: DumpManifest | null,
  options: DumpOptions,
): Promise<PreparedTables> {
  const { allowed, now, signal } = options;
  const today = dayNumber(bucharestDay(now));
  const { current, ...moment } = await prepareCurrent(tx, preparing, options);
  const prepared = [current];
  const seen = new Set<string>();
  const prepareMonths = async <Row>(monthly: MonthlyTable<Row>) => {
    for (const task of tasksOf(monthly, published, today, options)) {
      signal.throwIfAborted();
      seen.add(task.month);
      prepared.push(await prepareMonth(monthly, task, preparing, published, options));
    }
  };
  await prepareMonths(await priceChangeMonths(tx, allowed, now));
  await prepareMonths(await servedChangeMonths(tx, allowed, now));
  await prepareMonths(await dailyPriceMonths(tx, allowed, today));
  const again = options.correction?.month;
  if (again !== undefined && !seen.has(again)) throw new DumpRefused(`nothing of ${again} is stored or published`);
  return { prepared, ...moment };
}

/** The stations and the prices that are shown. */
async function prepareCurrent(
  tx: Kysely<Schema>,
  folder: string,
  { allowed, settings, now, onTable }: DumpOptions,
): Promise<Moment & { readonly current: Prepared }> {
  const facts = await readFacts(tx);
  if (facts.version === 0)
    throw new DumpRefused('nothing was collected yet: start a worker, or run pompa collect, then pompa dump again');
  const snapshot = buildSnapshot({ ...settings, facts, now, history: new PriceHistory() });
  const sourceStations = await loadSourceStations(tx);
  const firstSeen = await readFirstSeen(tx, allowed);
  const own = new Set(allowed);
  const stations = dumpedStations({ sourceStations, firstSeen, prices: facts.prices }, own, settings.gazetteer);
  const target = { folder, month: null, isFinal: false };
  onTable?.(STATION_TABLE.name, null);
  const files = await writeTable(STATION_TABLE, [stations], {
    ...target,
    formats: ['csv.gz', 'parquet', 'geo.parquet', 'geojson'],
  });
  onTable?.(CURRENT_PRICE_TABLE.name, null);
  const prices = currentPrices(snapshot, stations, own);
  files.push(
    ...(await writeTable(CURRENT_PRICE_TABLE, [prices], { ...target, formats: ['csv.gz', 'parquet', 'geojson'] })),
  );
  return {
    snapshot,
    cursor: await servedCursor(tx, snapshot),
    current: { files, placed: files.map(({ path: name }) => ({ from: name, to: name })), errata: [] },
  };
}

function tasksOf<Row>(
  { table, months }: MonthlyTable<Row>,
  published: DumpManifest | null,
  today: number,
  { folder, allowed, correction }: DumpOptions,
): MonthTask[] {
  return planMonths(table.name, months, published, {
    today,
    allowed: new Set(allowed),
    again: correction?.month ?? null,
    isOnDisk: (name) => existsSync(path.join(folder, name)),
  });
}

async function prepareMonth<Row>(
  { table, read }: MonthlyTable<Row>,
  { month, published, what, isFinal }: MonthTask,
  folder: string,
  manifest: DumpManifest | null,
  { allowed, now, correction, onTable }: DumpOptions,
): Promise<Prepared> {
  if (what === 'keep') return { files: published, placed: [], errata: [] };
  if (what === 'make') onTable?.(table.name, month);
  const made =
    what === 'drop'
      ? []
      : await writeTable(table, read(month), { folder, month, isFinal, formats: ['csv.gz', 'parquet'] });
  const settled = settleMonth(published, made, {
    day: bucharestDay(now),
    why: correction?.month === month ? correction.why : withdrawal(published, allowed),
    last: lastRevision(published, manifest?.errata ?? [], table.name, month),
  });
  if (settled === 'unexplained')
    throw new DumpRefused(
      `${month} of ${table.name} differs from what was published, which nobody may notice: give the reason with --month ${month} --why "…", which goes into ERATA.md`,
    );
  return {
    files: settled.files,
    placed: settled.placed.map(({ from, file }) => ({ from, to: file.path })),
    errata: settled.errata,
    ...(isFinal && made.length === 0 && { empty: `${table.name}/${month}` }),
  };
}

/** Why a final month has fewer rows: a source of its rows is no longer allowed; `null` = all are. */
function withdrawal(published: readonly DumpFile[], allowed: readonly string[]): string | null {
  const gone = [...new Set(published.flatMap(({ sources }) => sources))].filter((one) => !allowed.includes(one)).sort();
  if (gone.length === 0) return null;
  return `sursă retrasă / source withdrawn: ${gone.join(', ')}`;
}

async function publish(
  { prepared, snapshot, cursor }: PreparedTables,
  preparing: string,
  published: DumpManifest | null,
  { folder, allowed, simulated, now, publicUrl }: DumpOptions,
): Promise<DumpReport> {
  const files = prepared.flatMap((one) => one.files);
  const kept = new Set(files.map(({ path: name }) => name));
  const before = new Map(published?.files.map(({ path: name, sha256 }) => [name, sha256]));
  const isNew = (name: string) => {
    const file = files.find((one) => one.path === name);
    return before.get(name) !== file?.sha256 || !existsSync(path.join(folder, name));
  };
  // A file with the same bytes keeps its time and its entity tag.
  const placed = prepared.flatMap((one) => one.placed).filter(({ to }) => isNew(to));
  const manifest: DumpManifest = {
    madeAt: now,
    updatedAt: snapshot.updatedAt,
    cursor,
    // What was made by hand from simulated data stays so.
    simulated: simulated || published?.simulated === true,
    allowed: [...allowed].sort(),
    files,
    emptyMonths: [
      ...new Set([...stillEmpty(published, allowed, files), ...prepared.flatMap(({ empty }) => empty ?? [])]),
    ].sort(),
    errata: [...(published?.errata ?? []), ...prepared.flatMap((one) => one.errata)],
  };
  await publishDump(folder, preparing, `${publicUrl}${DUMP_PATH}`, {
    manifest,
    placed,
    obsolete: [...before.keys()].filter((name) => !kept.has(name)),
    snapshot,
  });
  return { folder, ...totals(files), written: placed.length };
}

/** The months found empty before, which were not looked at again. */
function stillEmpty(published: DumpManifest | null, allowed: readonly string[], files: readonly DumpFile[]): string[] {
  if (published === null || published.allowed.join() !== [...allowed].sort().join()) return [];
  const filled = new Set(files.map(({ table, month }) => `${table}/${month}`));
  return published.emptyMonths.filter((month) => !filled.has(month));
}
