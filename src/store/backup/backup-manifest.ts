/** `manifest.json`, the first member of a backup: it lists the other members. */
import type { Contents, TableContents } from './contents.ts';

/** A file in the archive: some complete rows of a table. */
export type Member = { readonly name: string; readonly bytes: number; readonly sha256: string };

export type Manifest = Omit<Contents, 'tables'> & {
  readonly format: typeof BACKUP_FORMAT;
  readonly version: typeof FORMAT_VERSION;
  readonly tables: readonly (TableContents & { readonly members: readonly Member[] })[];
};

export const BACKUP_FORMAT = 'pompa-backup';
/** Messages call it "format 2". Format 1 was not an archive: `read-format-1.ts` reads it. */
export const FORMAT_VERSION = 2;
export const MANIFEST_NAME = 'manifest.json';

/** `daily_prices.0001.copy` is the first member of that table. */
export function memberName(table: string, number: number): string {
  return `${table}.${String(number).padStart(4, '0')}.copy`;
}
