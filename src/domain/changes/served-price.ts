/** What is served of one station and fuel, as far as the feed of changes tells it. */
import type { MilliPrice } from '../fuel.ts';
import type { DoubtReason, PriceVerdict, UnknownReason } from '../prices/price-verdict.ts';

/** Why a price is doubtful, or why there is none; `unsold`: there is no record of this fuel at the station. */
export type PriceReason = DoubtReason | UnknownReason | 'expired' | 'incoherent' | 'unsold';

/** `reason` is `null` for a trusted price only. */
export type ServedPrice = { readonly price: MilliPrice | null; readonly reason: PriceReason | null };

/** Before the first record of a fuel, and after the last. */
export const UNSOLD: ServedPrice = { price: null, reason: 'unsold' };

/** What is served of a verdict. */
export function servedPriceOf(verdict: PriceVerdict): ServedPrice {
  switch (verdict.kind) {
    case 'trusted':
      return { price: verdict.price, reason: null };
    case 'doubtful':
      return { price: verdict.price, reason: verdict.reason };
    case 'unknown':
      return { price: null, reason: verdict.reason };
    default:
      return { price: null, reason: verdict.kind };
  }
}

export function isSamePrice(a: ServedPrice, b: ServedPrice): boolean {
  return a.price === b.price && a.reason === b.reason;
}
