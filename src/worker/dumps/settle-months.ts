/**
 * What becomes of the files of past months: final ones stay as they were published, unless the operator corrects them or
 * a source may no longer be dumped. Pure.
 */
import { type DumpFile, dumpPath, type Erratum } from '../../dumps/manifest.ts';

/** The files of one table and month, in every format; empty = there is none. */
export type MonthFiles = readonly DumpFile[];

export type Settled = {
  readonly files: MonthFiles;
  /** Of these, those of the new files that take their place on disk. */
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

/**
 * Puts what was made in place of what was published. `why` explains a difference of final files; `null` = nobody has
 * explained it.
 */
export function settleMonth(
  published: MonthFiles,
  made: MonthFiles,
  { day, why }: { readonly day: string; readonly why: string | null },
): Settled | 'unexplained' {
  const before = new Map(published.map((file) => [file.format, file]));
  const isSame =
    made.length === published.length && made.every(({ format, sha256 }) => before.get(format)?.sha256 === sha256);
  const wasFinal = published.some(({ isFinal }) => isFinal);
  if (isSame && wasFinal) return { files: published, placed: [], errata: [] };
  if (!wasFinal) return { files: made, placed: made.map((file) => ({ from: file.path, file })), errata: [] };
  if (why === null) return 'unexplained';
  const revision = Math.max(...published.map((file) => file.revision)) + 1;
  const placed = made.map((file) => ({
    from: file.path,
    file: { ...file, revision, path: dumpPath(file.table, file.format, file.month, revision) },
  }));
  const after = new Map(placed.map(({ file }) => [file.format, file]));
  const errata = published.map(({ format, path, sha256 }): Erratum => {
    const next = after.get(format);
    return {
      ...{ day, why, before: { path, sha256 } },
      after: next === undefined ? null : { path: next.path, sha256: next.sha256 },
    };
  });
  return { files: placed.map(({ file }) => file), placed, errata };
}
