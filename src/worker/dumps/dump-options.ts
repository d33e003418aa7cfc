/** What a dump is made from and for. */
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { DumpFile } from '../../dumps/manifest.ts';

export type DumpOptions = {
  readonly folder: string;
  /** The sources whose rows may be published. */
  readonly allowed: readonly string[];
  readonly settings: CollectionSettings;
  /** The base address of the service, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether the data are simulated, which every description then states. */
  readonly simulated: boolean;
  /** Epoch ms. */
  readonly now: number;
  /** A month to make again although it is final, and why it may differ; `null` = none. */
  readonly correction: { readonly month: string; readonly why: string | null } | null;
  /** Follows the work: called with each table and month that is written. */
  readonly onTable?: (table: string, month: string | null) => void;
  readonly signal: AbortSignal;
};

/** What a dump was. */
export type DumpReport = {
  readonly folder: string;
  readonly files: number;
  /** Files that are new or have other bytes than before. */
  readonly written: number;
  readonly rows: number;
  readonly bytes: number;
};

/** The dump cannot be made as asked; the message says what to do. */
export class DumpRefused extends Error {}

/** The size of all files together. */
export function totals(files: readonly DumpFile[]): Pick<DumpReport, 'files' | 'rows' | 'bytes'> {
  const sum = (of: (file: DumpFile) => number) => files.reduce((total, file) => total + of(file), 0);
  // Each table has its rows once, in whatever number of formats.
  return {
    files: files.length,
    rows: sum(({ format, rows }) => (format === 'parquet' ? rows : 0)),
    bytes: sum(({ bytes }) => bytes),
  };
}
