/** Served changes for files that may show the prices of some sources only. */
import type { Fuel } from '../fuel.ts';
import type { ObservationTime } from '../reports/observation.ts';
import type { ServedChange } from './served-change.ts';
import type { PriceReason, ServedPrice } from './served-price.ts';

/** `withheld` = a price is served, of a source that the files may not show. */
export type PublishedPrice = Pick<ServedPrice, 'price'> & { readonly reason: PriceReason | 'withheld' | null };

export type PublishedChange = {
  readonly seq: number;
  /** Since when it is served, epoch ms. */
  readonly at: number;
  readonly station: string;
  readonly fuel: Fuel;
  readonly kind: 'price' | 'withdrawn' | 'returned' | 'flag';
  readonly before: PublishedPrice;
  readonly after: PublishedPrice;
  /** Of the price served now, or of the one that was withdrawn; `null` = one of several allowed ones. */
  readonly source: string | null;
  readonly observed: ObservationTime | null;
};

type NumberedChange = ServedChange & { readonly seq: number; readonly toldAt: number };

const WITHHELD: PublishedPrice = { price: null, reason: 'withheld' };

export class PublishedChanges {
  readonly #allowed: ReadonlySet<string>;
  readonly #isOnlyAllowed: (station: string, fuel: Fuel, at: number) => boolean;
  /** The source of each price, as told last. */
  readonly #sources = new Map<string, string | null>();

  /**
   * @param isOnlyAllowed whether all sources that had a fuel at a station until an instant, epoch ms, may be shown: for
   *   prices told before the first change
   */
  constructor(allowed: ReadonlySet<string>, isOnlyAllowed: (station: string, fuel: Fuel, at: number) => boolean) {
    this.#allowed = allowed;
    this.#isOnlyAllowed = isOnlyAllowed;
  }

  /** Takes what was told earlier, of which no row is wanted. */
  remember({ station, fuel, source }: Pick<ServedChange, 'station' | 'fuel' | 'source'>): void {
    if (fuel !== null) this.#sources.set(`${station} ${fuel}`, source);
  }

  /** The next change, in order; `null` = it says nothing of a price that may be shown. */
  next(change: NumberedChange): PublishedChange | null {
    const { seq, toldAt: at, station, fuel, observed } = change;
    if (fuel === null) return null;
    const earlier = this.#sources.get(`${station} ${fuel}`);
    this.remember(change);
    const wasAllowed = earlier == null ? this.#isOnlyAllowed(station, fuel, at) : this.#allowed.has(earlier);
    const before = wasAllowed ? change.before : withheld(change.before);
    const isAllowed = change.source !== null && this.#allowed.has(change.source);
    const after = isAllowed ? change.after : withheld(change.after);
    if (before.price === null && after.price === null) return null;
    const source = after.price === null ? (earlier ?? null) : change.source;
    return {
      ...{ seq, at, station, fuel, kind: kindOf(before, after), before, after, source },
      observed: after.price === null ? null : observed,
    };
  }
}

/** Why there is no price may be shown, whoever the source. */
const withheld = (served: ServedPrice): PublishedPrice => (served.price === null ? served : WITHHELD);

function kindOf(before: PublishedPrice, after: PublishedPrice): PublishedChange['kind'] {
  if (after.price === null) return 'withdrawn';
  if (before.price === null) return 'returned';
  return before.price === after.price ? 'flag' : 'price';
}
