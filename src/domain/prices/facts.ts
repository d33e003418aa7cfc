/** What the store knows at one publication: the input of a snapshot. */

import type { Station } from '../stations/station.ts';
import type { KnownPrice } from './apply-collection.ts';
import type { PriceFact } from './price-verdict.ts';

export type SourceTimes = {
  readonly name: string;
  /** End of the last run that delivered, epoch ms; `null` = never. */
  readonly deliveredAt: number | null;
  /** End of the last complete download, runs set aside included, epoch ms; `null` = never. */
  readonly downloadedAt: number | null;
};

export type StationFact = PriceFact & Pick<KnownPrice, 'station' | 'unit'>;

export type Facts = {
  readonly version: number;
  /** The moment the facts speak of, epoch ms; `null` = nothing was ever published. */
  readonly publishedAt: number | null;
  /** End of the last collection in which a source delivered, epoch ms. */
  readonly updatedAt: number | null;
  readonly sources: readonly SourceTimes[];
  readonly stations: readonly Station[];
  readonly prices: readonly StationFact[];
};

export const NO_FACTS: Facts = {
  version: 0,
  publishedAt: null,
  updatedAt: null,
  sources: [],
  stations: [],
  prices: [],
};
