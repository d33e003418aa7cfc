/** The interface of every source: one sweep that turns payloads into stations and readings. */

import type { ReceivedResponse } from '../clients/http/response.ts';
import type { Fuel, PriceRanges } from '../domain/fuel.ts';
import type { Sweep } from '../domain/reports/sweep.ts';

/** Options of a request: the wanted media type; a form or a JSON text makes it a POST. */
export type FetchOptions = {
  readonly accept?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: string;
};

/**
 * Requests `target` from the source (path and query below the source's base address; `''` = that address itself).
 * Live, it goes over the network, within the source's limits, and the answer is archived; in a replay it comes from
 * the archive. Rejects with `NoResponse` if there is none after the retries.
 */
export type Fetch = (target: string, options?: FetchOptions) => Promise<ReceivedResponse>;

/** The source as a whole cannot be reached or trusted: the run fails and changes nothing. */
export class SourceFailed extends Error {}

export type Progress = { readonly done: number; readonly total: number; readonly requests: number };

export type SweepContext = {
  readonly fetch: Fetch;
  /** Maximum number of concurrent requests. */
  readonly parallel: number;
  /** The run's clock, epoch ms. */
  readonly now: number;
  readonly ranges: PriceRanges;
  /**
   * Units that had rows before this run, e.g. `179132:petrol`: a "no such thing" for one of them is requested again.
   */
  readonly unitsWithRows: ReadonlySet<string>;
  /** Administrative units learned from earlier runs beyond the built-in list. */
  readonly extraUnits: readonly number[];
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
};

export type Source = {
  readonly name: string;
  /** Reads the whole source once. Rejects with `SourceFailed` if the source as a whole fails. */
  sweep(context: SweepContext): Promise<Sweep>;
};

export const unitKey = (siruta: number | string, fuel: Fuel): string => `${siruta}:${fuel}`;
