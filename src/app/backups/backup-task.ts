/** What the process of backups is told, as JSON. */
import type { PriceRanges } from '../../domain/fuel.ts';

export type BackupTask = {
  readonly work: 'backup' | 'drill';
  /** `null` = the embedded database of `dataDir`. */
  readonly databaseUrl: string | null;
  /** Of the server itself, where `databaseUrl` is a pooler's. */
  readonly directUrl: string | null;
  readonly dataDir: string;
  readonly folder: string;
  /** Version of this program. */
  readonly program: string;
  /** Epoch ms. */
  readonly now: number;
  readonly ranges: PriceRanges;
  /** Sources in service; `null` = all that the store has. */
  readonly inService: readonly string[] | null;
};
