import type { PriceRanges } from '../fuel.ts';
import type { Gazetteer } from '../places/gazetteer.ts';

/** The operator's settings that prices are judged by, and the places that stations are found at. */
export type PricingRules = {
  readonly ranges: PriceRanges;
  readonly gazetteer: Gazetteer;
  /** Sources whose prices are served; `null` = all. */
  readonly inService: readonly string[] | null;
};
