/** SVG path data of step lines: a price holds until it changes. One unit across is a day, one unit down is 1 ban. */
import type { MilliPrice } from '../../domain/fuel.ts';
import type { Column } from './price-series.ts';

/** A step line, interrupted where columns have no price; `top` is the price at the upper edge. */
export function stepLine(columns: readonly Column[], top: MilliPrice): string {
  const pen = new StepPen(top);
  for (const column of columns) {
    if (column.prices.length === 0) pen.lift();
    for (const price of column.prices) pen.moveTo(column.start, price);
    pen.along(column.days);
  }
  return pen.path();
}

/** The area between the lowest prices of some columns and the highest of others; interrupted where either has none. */
export function stepArea(lows: readonly Column[], highs: readonly Column[], top: MilliPrice): string {
  const pen = new StepPen(top);
  for (const stretch of stretches(lows, highs)) {
    for (const { start, days, high } of stretch) {
      pen.moveTo(start, high);
      pen.along(days);
    }
    for (const { start, days, low } of stretch.toReversed()) {
      pen.moveTo(start + days, low);
      pen.along(-days);
    }
    pen.close();
  }
  return pen.path();
}

type BandColumn = {
  readonly start: number;
  readonly days: number;
  readonly low: MilliPrice;
  readonly high: MilliPrice;
};

/** Neighbouring columns that have both prices. */
function stretches(lows: readonly Column[], highs: readonly Column[]): BandColumn[][] {
  const found: BandColumn[][] = [[]];
  for (const [index, { start, days, prices }] of lows.entries()) {
    const above = highs[index]?.prices ?? [];
    if (prices.length === 0 || above.length === 0) found.push([]);
    else found.at(-1)?.push({ start, days, low: Math.min(...prices), high: Math.max(...above) });
  }
  return found.filter((stretch) => stretch.length > 0);
}

/** Writes horizontal and vertical strokes, with relative coordinates: the shortest path data. */
class StepPen {
  readonly #top: MilliPrice;
  #text = '';
  #price: MilliPrice | null = null;
  #pending = 0;

  constructor(top: MilliPrice) {
    this.#top = top;
  }

  /** Continues vertically to a price, or starts a new line at `day` after a gap. */
  moveTo(day: number, price: MilliPrice): void {
    if (this.#price === null) this.#text += `M${day} ${bani(this.#top - price)}`;
    else if (price !== this.#price) {
      this.#finishStroke();
      this.#text += `v${bani(this.#price - price)}`;
    }
    this.#price = price;
  }

  along(days: number): void {
    if (this.#price !== null) this.#pending += days;
  }

  lift(): void {
    this.#finishStroke();
    this.#price = null;
  }

  close(): void {
    this.lift();
    this.#text += 'z';
  }

  path(): string {
    this.lift();
    return this.#text;
  }

  #finishStroke(): void {
    if (this.#pending !== 0) this.#text += `h${this.#pending}`;
    this.#pending = 0;
  }
}

/** A difference in bani, to a tenth, as SVG writes it shortest: `.4`, `-3`. */
function bani(difference: MilliPrice): string {
  return String(Math.round(difference) / 10).replace(/^(-?)0\./, '$1.');
}
