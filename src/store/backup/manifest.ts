/** `manifest.json`, the first member of a backup: what the other members are. */
import type { Contents, TableContents } from './contents.ts';

/** A file within the archive: some rows of a table, whole ones. */
export type Member = { readonly name: string; readonly bytes: number; readonly sha256: string };

export type Manifest = Omit<Contents, 'tables'> & {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly tables: readonly (TableContents & { readonly members: readonly Member[] })[];
};

export const FORMAT = 'pompa-backup';
/** Version 1 was no archive: `read-format-1.ts` reads it. */
export const VERSION = 2;
export const MANIFEST_NAME = 'manifest.json';

/** `daily_prices.0001.copy` is the first member of that table. */
export function memberName(table: string, number: number): string {
  return `${table}.${String(number).padStart(4, '0')}.copy`;
}
