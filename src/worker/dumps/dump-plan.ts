/** Which months of a table are looked at, and which of them are made. */
import type { DumpManifest } from '../../dumps/manifest.ts';
import { isFinalMonth } from '../../dumps/months.ts';
import { isSettled, type MonthFiles } from './settle-months.ts';

export type MonthTask = {
  readonly table: string;
  readonly month: string;
  readonly published: MonthFiles;
  /** `keep` = as it is published; `drop` = its sources may not be dumped any more, and its rows are gone. */
  readonly what: 'make' | 'keep' | 'drop';
  readonly isFinal: boolean;
};

export type PlanOptions = {
  readonly today: number;
  readonly allowed: ReadonlySet<string>;
  /** A final month to make again; `null` = none. */
  readonly again: string | null;
  /** Whether a published file is still on disk. */
  readonly isOnDisk: (path: string) => boolean;
};

/** @param available the months of which the database has all rows */
export function planMonths(
  table: string,
  available: readonly string[],
  manifest: DumpManifest | null,
  { today, allowed, again, isOnDisk }: PlanOptions,
): MonthTask[] {
  const published = Map.groupBy(
    (manifest?.files ?? []).filter((file) => file.table === table && file.month !== null),
    ({ month }) => month as string,
  );
  const sameSources = manifest?.allowed.length === allowed.size && manifest.allowed.every((one) => allowed.has(one));
  const empty = new Set(sameSources ? manifest.emptyMonths : []);
  const whatOf = (month: string, files: MonthFiles): MonthTask['what'] | null => {
    if (month === again) return 'make';
    if (isSettled(files, allowed) && files.every(({ path }) => isOnDisk(path))) return 'keep';
    return files.length === 0 && empty.has(`${table}/${month}`) ? null : 'make';
  };
  return [...new Set([...available, ...published.keys()])].sort().flatMap((month): MonthTask[] => {
    const files = published.get(month) ?? [];
    const wanted = whatOf(month, files);
    if (wanted === null) return [];
    const what = wanted === 'make' && !available.includes(month) ? beyondReach(files, allowed) : wanted;
    return [{ table, month, published: files, what, isFinal: isFinalMonth(month, today) }];
  });
}

/** What becomes of a month whose rows are no longer all in the database. */
function beyondReach(files: MonthFiles, allowed: ReadonlySet<string>): 'keep' | 'drop' {
  return files.every(({ sources }) => sources.every((one) => allowed.has(one))) ? 'keep' : 'drop';
}
