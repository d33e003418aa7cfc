/**
 * What becomes of the files of past months: final ones stay as they were published, unless the operator corrects them
 * or a source may no longer be dumped. Pure.
 */
import { type DumpFile, dumpPath, type Erratum } from '../../dumps/manifest.ts';

/** The files of one table and month, in every format; empty = there is none. */
export type MonthFiles = readonly DumpFile[];

export type Settled = {
  readonly files: MonthFiles;
  /** Of these, those of the new files that take their place on disk, where it does not have the same one. */
  readonly placed: readonly { readonly from: string; readonly file: DumpFile }[];
  readonly errata: readonly Erratum[];
};

/** Whether files that were published need not be made again. */
export function isSettled(published: MonthFiles, allowed: ReadonlySet<string>): boolean {
  return (
    published.length > 0 &&
    published.every(({ isFinal, sources }) => isFinal && sources.every((one) => allowed.has(one)))
  );
}

/** The highest revision of a month that was ever published, withdrawn ones included; 0 = none. */
export function lastRevision(published: MonthFiles, errata: readonly Erratum[], table: string, month: string): number {
  const pattern = new RegExp(`/${table}-${month}(?:-r(\\d+))?\\.`);
  const withdrawn = errata.map(({ before }) => pattern.exec(before.path)).filter((match) => match !== null);
  return Math.max(
    0,
    ...published.map(({ revision }) => revision),
    ...withdrawn.map(([, number]) => Number(number ?? 1)),
  );
}

export type SettleOptions = {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Explains a difference of final files; `null` = nobody has. */
  readonly why: string | null;
  /** See `lastRevision`. */
  readonly last: number;
};

/** Puts what was made in place of what was published. An address of a final file never gets other bytes. */
export function settleMonth(
  published: MonthFiles,
  made: MonthFiles,
  { day, why, last }: SettleOptions,
): Settled | 'unexplained' {
  const before = new Map(published.map((file) => [file.format, file]));
  const isSame =
    made.length === published.length && made.every((file) => before.get(file.format)?.sha256 === file.sha256);
  const wasFinal = published.some(({ isFinal }) => isFinal);
  if (isSame && wasFinal)
    return {
      files: published,
      placed: made.map(({ path, format }) => ({ from: path, file: before.get(format) as DumpFile })),
      errata: [],
    };
  if (wasFinal && why === null) return 'unexplained';
  const isOpen = published.length > 0 && !wasFinal;
  const placed = made.map((file) => ({ from: file.path, file: revised(file, isOpen ? last : last + 1) }));
  const after = new Map(placed.map(({ file }) => [file.format, file]));
  const errata = published.map(({ format, path, sha256 }): Erratum => {
    const next = after.get(format);
    return {
      ...{ day, why: why ?? '', before: { path, sha256 } },
      after: next === undefined ? null : { path: next.path, sha256: next.sha256 },
    };
  });
  return { files: placed.map(({ file }) => file), placed, errata: wasFinal ? errata : [] };
}

function revised(file: DumpFile, revision: number): DumpFile {
  return { ...file, revision, path: dumpPath(file.table, file.format, file.month, revision) };
}
