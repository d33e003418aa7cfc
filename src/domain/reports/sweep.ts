/** The result of one complete read of a source. */
import type { NetworkPrice, PriceReading, Rejections, StationDescription, UnitOutcome } from './observation.ts';

export type Sweep = {
  readonly stations: readonly StationDescription[];
  /** At most one reading per station and fuel: the lowest price in range. */
  readonly readings: readonly PriceReading[];
  /** Prices of whole networks, at most one per network and fuel. A station's own reading takes precedence. */
  readonly networkPrices?: readonly NetworkPrice[];
  readonly units: ReadonlyMap<string, UnitOutcome>;
  readonly rejections: Rejections;
  readonly requests: number;
};

/** A finished sweep and its end. */
export type FinishedSweep = {
  readonly source: string;
  readonly sweep: Sweep;
  readonly startedAt: number;
  readonly finishedAt: number;
};
