/** What a source says: stations and readings, and what was refused of it and why. */
import type { Fuel, MilliPrice } from '../fuel.ts';

/**
 * When a price was observed, by the source's own word. `day` is the calendar day in Bucharest; `at` the instant
 * (epoch ms) where the source gives one, else `null`: a day is never turned into an invented time. `text` is the
 * source's own spelling, byte for byte, where it has one.
 */
export type ObservationTime = { readonly day: string; readonly at: number | null; readonly text: string | null };

/** A station as one source describes it. */
export type StationDescription = {
  /** The source's own identifier, as sent. */
  readonly sourceId: string;
  /** Network slug and display name, as `networkOf` gives them. */
  readonly network: string;
  readonly brand: string;
  readonly name: string;
  readonly address: string;
  /** WGS84 degrees; `null` when the source gives none that could be on Earth. */
  readonly lat: number | null;
  readonly lng: number | null;
  /** SIRUTA code of the administrative unit the source declares. */
  readonly siruta: number | null;
  /** Slug of the locality it declares by name; wins over `siruta`. */
  readonly locality?: string | null;
  readonly hours: string | null;
  readonly services: readonly string[];
  readonly phone: string | null;
};

/** One price row understood. `price` is `null` when the row carried no usable price: that too is a fact. */
export type PriceReading = {
  readonly sourceId: string;
  readonly network: string;
  readonly fuel: Fuel;
  readonly price: MilliPrice | null;
  readonly observed: ObservationTime | null;
  /** The unit of the sweep that vouches for this row, e.g. `179132:petrol`. */
  readonly unit: string;
};

/** A price that a network names for all its stations that sell the fuel. */
export type BrandPrice = Pick<PriceReading, 'network' | 'fuel' | 'price' | 'observed'>;

/**
 * How reading one unit ended. `refused` = the source said "no such thing" for a unit that had rows before, with the
 * canary well: whether that is a failure or an empty unit is decided by how often it happened (rule 26).
 */
export type UnitOutcome = 'read' | 'empty' | 'refused' | 'failed';

/** Rows refused, counted by reason, with a few samples of each for the operator. */
export class Rejections {
  readonly #byReason = new Map<string, { count: number; samples: string[] }>();

  /** Counts one refused row. `sample` is cut to 200 characters; the first three of a reason are kept. */
  add(reason: string, sample: unknown, times = 1): void {
    const entry = this.#byReason.get(reason) ?? { count: 0, samples: [] };
    entry.count += times;
    if (entry.samples.length < 3) entry.samples.push(asText(sample).slice(0, 200));
    this.#byReason.set(reason, entry);
  }

  /** Number of rows refused by reason, reasons in alphabetical order. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.#sorted().map(([reason, { count }]) => [reason, count]));
  }

  samples(): Record<string, string[]> {
    return Object.fromEntries(this.#sorted().map(([reason, { samples }]) => [reason, samples]));
  }

  #sorted(): [string, { count: number; samples: string[] }][] {
    return [...this.#byReason].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

function asText(sample: unknown): string {
  return typeof sample === 'string' ? sample : (JSON.stringify(sample) ?? String(sample));
}
