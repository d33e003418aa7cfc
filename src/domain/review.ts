/** The rules for reviews: cleaning, lengths, daily limits, means. Rules 36 to 40. */
import { bucharestDay, dayNumber, nextBucharestMidnight, startOfBucharestDay } from './days.ts';
import { visibleText } from './visible-text.ts';

/** The nickname of a reviewer who gives none. */
export const ANONYMOUS_NICKNAME = 'Anonim';

/** Characters as people see them. Source: API contract, "Limits". */
export const MAX_NICKNAME_LENGTH = 50;
export const MAX_COMMENT_LENGTH = 500;

/** Reviews per client address and day in Bucharest: in all, and per station. Source: API contract, "Limits". */
export const MAX_REVIEWS_PER_DAY = 3;
const MAX_REVIEWS_PER_STATION = 1;
/**
 * Reviews of a network and day, likewise: many, because a mobile operator has thousands of drivers in one, and so few
 * that whoever has a /48 of addresses cannot rate a whole country.
 */
const MAX_NETWORK_REVIEWS_PER_DAY = 300;
const MAX_NETWORK_REVIEWS_PER_STATION = 100;

/** The approved reviews of a station as everybody sees them. */
export type PublicReviews = {
  readonly count: number;
  /** As `meanRating` gives it; 0 when there are none. */
  readonly mean: number;
  /** At most 20, newest first. */
  readonly newest: readonly PublicReview[];
};

export type PublicReview = {
  readonly id: number;
  /** `null` = the reviewer gave none. */
  readonly nickname: string | null;
  readonly rating: number;
  /** `null` = stars only. */
  readonly comment: string | null;
  /** Epoch ms. */
  readonly createdAt: number;
};

/** How a review that was posted from a page ended, which the next page says in words. */
export type ReviewOutcome =
  | 'published'
  | 'awaits approval'
  /** A daily limit of the address is reached. */
  | 'limited'
  /** A text without a valid captcha. */
  | 'no captcha'
  /** A page of another site posted it. */
  | 'other site'
  /** A field is missing or malformed, or the station is unknown. */
  | 'malformed'
  /** The database does not answer. */
  | 'unavailable';

/** UTF-16 units per character on average; the longest emoji in use have 15. Bounds the work per text. */
const MAX_UNITS_PER_CHARACTER = 16;

/**
 * A text as it is stored: `visibleText`. `''` = nothing visible is left; `null` = more than `maxCharacters` characters
 * as people see them, or one with excessive marks.
 */
export function cleanVisitorText(sent: string, maxCharacters: number): string | null {
  const text = visibleText(sent);
  if (text === null || text.length > maxCharacters * MAX_UNITS_PER_CHARACTER) return null;
  return isLonger(text, maxCharacters) ? null : text;
}

/** Made with the first text: that takes 10 to 20 ms, which no start waits for. */
let characters: Intl.Segmenter | undefined;

function isLonger(text: string, maxCharacters: number): boolean {
  if (text.length <= maxCharacters) return false;
  characters ??= new Intl.Segmenter('ro', { granularity: 'grapheme' });
  let seen = 0;
  for (const _ of characters.segment(text)) {
    seen += 1;
    if (seen > maxCharacters) return true;
  }
  return false;
}

/** The reviewer's own nickname, from a cleaned one; `null` = none. */
export function ownNickname(cleaned: string): string | null {
  return cleaned === '' || cleaned.toLowerCase() === ANONYMOUS_NICKNAME.toLowerCase() ? null : cleaned;
}

/** A review accepted earlier; `at` in epoch ms. */
export type EarlierReview = { readonly station: string; readonly at: number };

export type EarlierReviews = {
  readonly ofClient: readonly EarlierReview[];
  readonly ofNetwork: readonly EarlierReview[];
};

/**
 * How long a client must wait before reviewing a station, ms, given the accepted reviews; 0 = no wait. Days are days
 * in Bucharest. Rule 39.
 */
export function reviewWaitMs({ ofClient, ofNetwork }: EarlierReviews, station: string, now: number): number {
  const dayStart = startOfBucharestDay(dayNumber(bucharestDay(now)));
  const isAllowed =
    hasRoom(ofClient, { perDay: MAX_REVIEWS_PER_DAY, perStation: MAX_REVIEWS_PER_STATION }, station, dayStart) &&
    hasRoom(
      ofNetwork,
      { perDay: MAX_NETWORK_REVIEWS_PER_DAY, perStation: MAX_NETWORK_REVIEWS_PER_STATION },
      station,
      dayStart,
    );
  return isAllowed ? 0 : nextBucharestMidnight(now) - now;
}

type ReviewLimits = { readonly perDay: number; readonly perStation: number };

/** Whether the limits allow one more review on the day that began at `dayStart`. */
function hasRoom(
  earlier: readonly EarlierReview[],
  { perDay, perStation }: ReviewLimits,
  station: string,
  dayStart: number,
): boolean {
  const today = earlier.filter(({ at }) => at >= dayStart);
  return today.length < perDay && today.filter((review) => review.station === station).length < perStation;
}

/** The mean of `count` ratings that add up to `stars`, 1 decimal, half up; 0 when there are none. Rule 38. */
export function meanRating(stars: number, count: number): number {
  return count === 0 ? 0 : Math.floor((20 * stars + count) / (2 * count)) / 10;
}
