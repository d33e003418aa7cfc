import type { PriceRanges } from '../fuel.ts';
import type { Gazetteer } from '../places/gazetteer.ts';

/** The operator's settings by which a collection is judged and served, and the gazetteer that locates its stations. */
export type CollectionSettings = {
  readonly ranges: PriceRanges;
  readonly gazetteer: Gazetteer;
  /** Sources whose prices are served; `null` = all. */
  readonly inService: readonly string[] | null;
};
