/** What the store knows at one publication: the input of a snapshot. */

import type { Station } from '../stations/station.ts';
import type { KnownPrice } from './apply-collection.ts';
import type { SourcePrice } from './price-verdict.ts';

export type SourceTimes = {
  readonly name: string;
  /** End of the last run that delivered, epoch ms; `null` = never. */
  readonly deliveredAt: number | null;
  /** End of the last complete download, runs set aside included, epoch ms; `null` = never. */
  readonly downloadedAt: number | null;
};

export type StoredPrice = SourcePrice & Pick<KnownPrice, 'station' | 'unit'>;

export type PublishedFacts = {
  readonly version: number;
  /** The moment that the facts describe, epoch ms; `null` = nothing was ever published. */
  readonly publishedAt: number | null;
  /** End of the last collection in which a source delivered, epoch ms. */
  readonly updatedAt: number | null;
  readonly sources: readonly SourceTimes[];
  readonly stations: readonly Station[];
  readonly prices: readonly StoredPrice[];
};

export const NO_PUBLISHED_FACTS: PublishedFacts = {
  version: 0,
  publishedAt: null,
  updatedAt: null,
  sources: [],
  stations: [],
  prices: [],
};
