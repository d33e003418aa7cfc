/** Stations in Germany: a separate channel, in EUR, never mixed with the Romanian prices. */
import type { MilliPrice } from './fuel.ts';
import type { Point } from './point.ts';

/** A search for the stations around a point. */
export type GermanSearch = Point & {
  /** Whole km. */
  readonly radiusKm: number;
};

export type GermanStation = Point & {
  readonly name: string;
  readonly brand: string;
  /** Street and number. */
  readonly address: string;
  readonly city: string;
  readonly postcode: number;
  /** From the point searched. */
  readonly distanceKm: number;
  /** Thousandths of EUR a litre; `null` = no price. */
  readonly e5: MilliPrice | null;
  readonly e10: MilliPrice | null;
  readonly diesel: MilliPrice | null;
  readonly open: boolean;
};

/** The source's answer, nearest first. */
export type GermanAnswer = {
  /** The point and radius of the request to the source. */
  readonly search: GermanSearch;
  readonly stations: readonly GermanStation[];
  /** Epoch ms. */
  readonly answeredAt: number;
};

/** What a search comes to. */
export type GermanOutcome =
  /** `isOwnShare` = this client or its network has used up its share of calls; others may get another outcome. */
  | { readonly kind: 'found'; readonly answer: GermanAnswer; readonly isOwnShare?: boolean }
  /** The source gave no answer. */
  | { readonly kind: 'failed' }
  /** Our own budget of calls, or only the share, is used up until `waitMs` from now. */
  | { readonly kind: 'over budget'; readonly waitMs: number; readonly isOwnShare?: boolean }
  /** The operator has set no key. */
  | { readonly kind: 'not configured' }
  /** The database is unavailable, or the process that was calling the source has died. */
  | { readonly kind: 'unavailable' };

/** The bounds of searches, ends included. Source: API contract, "Limits". */
export const GERMANY = { lat: { min: 47, max: 55.2 }, lng: { min: 5.5, max: 15.5 } } as const;

export const GERMAN_RADIUS_KM = { min: 1, max: 25, defaultKm: 15 } as const;

/** The cache key of an answer: the point in whole hundredths of a degree, and the radius. */
export type GermanCell = { readonly lat: number; readonly lng: number; readonly radiusKm: number };

/** The cell of a search. */
export function cellOf({ lat, lng, radiusKm }: GermanSearch): GermanCell {
  return { lat: Math.round(lat * 100), lng: Math.round(lng * 100), radiusKm };
}
