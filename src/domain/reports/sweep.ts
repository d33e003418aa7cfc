/** What one complete read of a source gives. */
import type { BrandPrice, PriceReading, Rejections, StationDescription, UnitOutcome } from './observation.ts';

export type Sweep = {
  readonly stations: readonly StationDescription[];
  /** At most one reading a station and fuel: the lowest believable price. */
  readonly readings: readonly PriceReading[];
  /** Prices of whole networks; at most one a network and fuel. A station's own reading goes before. */
  readonly brandPrices?: readonly BrandPrice[];
  readonly units: ReadonlyMap<string, UnitOutcome>;
  readonly rejections: Rejections;
  readonly requests: number;
};

/** A sweep that ended, and when. */
export type FinishedSweep = {
  readonly source: string;
  readonly sweep: Sweep;
  readonly startedAt: number;
  readonly finishedAt: number;
};
