/** What a source reports: stations and readings, and which rows were rejected and why. */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import type { Fuel, MilliPrice } from '../fuel.ts';

/**
 * When a price was observed, according to the source. `day` is the calendar day in Bucharest; `at` is the instant
 * (epoch ms) if the source gives one, else `null`: a day is never turned into an invented time. `text` is the source's
 * own spelling, byte for byte, if there is one.
 */
export type ObservationTime = { readonly day: string; readonly at: number | null; readonly text: string | null };

/** A station as one source describes it. */
export type StationDescription = {
  /** The source's own identifier, as sent. */
  readonly sourceId: string;
  /** Network slug and display name, as returned by `networkOf`. */
  readonly network: string;
  readonly brand: string;
  readonly name: string;
  readonly address: string;
  /** WGS84 degrees; `null` when the source gives no valid coordinates. */
  readonly lat: number | null;
  readonly lng: number | null;
  /** SIRUTA code of the administrative unit that the source declares. */
  readonly siruta: number | null;
  /** Slug of the locality that it declares by name; takes precedence over `siruta`. */
  readonly locality?: string | null;
  readonly hours: string | null;
  readonly services: readonly string[];
  readonly phone: string | null;
};

/** One parsed price row. `price` is `null` when the row has no usable price: that too is a fact. */
export type PriceReading = {
  readonly sourceId: string;
  readonly network: string;
  readonly fuel: Fuel;
  readonly price: MilliPrice | null;
  readonly observed: ObservationTime | null;
  /** The unit of the sweep that vouches for this row, e.g. `179132:petrol`. */
  readonly unit: string;
};

/** A price that a network publishes for all its stations that sell the fuel. */
export type NetworkPrice = Pick<PriceReading, 'network' | 'fuel' | 'price' | 'observed'>;

/**
 * How reading one unit ended. `not-found` = the source answered "no such thing" for a unit that had rows before, while
 * the canary was well: how often that happened decides whether it is a failure or an empty unit (rule 26).
 */
export type UnitOutcome = 'read' | 'empty' | 'not-found' | 'failed';

/** What names a row in `Rejections`: its station, and its fuel where the source has a row for each. */
export type RowName = { readonly network: string; readonly sourceId: string; readonly fuel?: Fuel };

/**
 * Rows of which something was rejected, counted by reason, with a few samples of each for the operator. It does not say
 * that a row is lost: a station without its coordinates, or a price `out_of_range`, is counted here and stored. A row
 * counts once, by the first reason for which it or a part of it was rejected, in whatever step.
 */
export class Rejections {
  readonly #rows = new Map<string, { isCounted: boolean }>();
  readonly #byReason = new Map<string, { count: number; samples: string[] }>();

  /** Counts a rejected row. `sample` is cut to 200 characters; the first three of each reason are kept. */
  add(reason: string, sample: unknown, times = 1): void {
    const entry = this.#byReason.get(reason) ?? { count: 0, samples: [] };
    entry.count += times;
    if (entry.samples.length < 3) entry.samples.push(asText(sample).slice(0, 200));
    this.#byReason.set(reason, entry);
  }

  /**
   * Counts a row by its first reason, if there is one, under all its names: a later rejection of the station, or of the
   * price of one of its fuels, does not count it again.
   */
  addRow(names: readonly RowName[], first: { readonly reason: string; readonly sample: unknown } | null): void {
    if (first !== null) this.add(first.reason, first.sample);
    // Most rows have one name and nothing rejected: they need no entry.
    if (first === null && names.length < 2) return;
    const row = { isCounted: first !== null };
    for (const name of names) this.#rows.set(keyOf(name), row);
  }

  /** Counts the row of that name, unless it was counted before. */
  addToRow(name: RowName, reason: string, sample: unknown): void {
    const row = this.#rows.get(keyOf(name));
    if (row?.isCounted) return;
    if (row) row.isCounted = true;
    else this.#rows.set(keyOf(name), { isCounted: true });
    this.add(reason, sample);
  }

  /** Number of rejected rows by reason, in alphabetical order. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.#sorted().map(([reason, { count }]) => [reason, count]));
  }

  samples(): Record<string, string[]> {
    return Object.fromEntries(this.#sorted().map(([reason, { samples }]) => [reason, samples]));
  }

  #sorted(): [string, { count: number; samples: string[] }][] {
    return [...this.#byReason].sort(([a], [b]) => compareCodeUnits(a, b));
  }
}

function keyOf({ network, sourceId, fuel }: RowName): string {
  return `${network} ${sourceId} ${fuel ?? ''}`;
}

function asText(sample: unknown): string {
  return typeof sample === 'string' ? sample : (JSON.stringify(sample) ?? String(sample));
}
