/** What the process that makes dumps is told, as JSON. */
import type { PriceRanges } from '../../domain/fuel.ts';

export type DumpTask = {
  /** `null` = the embedded database of `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly folder: string;
  readonly allowed: readonly string[];
  /** Sources in service; `null` = all that the store has. */
  readonly inService: readonly string[] | null;
  readonly ranges: PriceRanges;
  readonly publicUrl: string;
  readonly simulated: boolean;
};
