/** The rules for reviews: cleaning, lengths, daily limits, means. Rules 36 to 40. */
import { bucharestDay, nextBucharestMidnight } from './days.ts';

/** The nickname of a reviewer who gives none. */
export const ANONYMOUS_NICKNAME = 'Anonim';

/** Characters as people see them. Source: API contract, "Limits". */
export const MAX_NICKNAME_LENGTH = 50;
export const MAX_COMMENT_LENGTH = 500;

/** Reviews per client address and day in Bucharest: in all, and per station. Source: API contract, "Limits". */
export const MAX_REVIEWS_PER_DAY = 3;
const MAX_REVIEWS_PER_STATION = 1;

/** UTF-16 units per character on average; the longest emoji in use have 15. Bounds the work per text. */
const MAX_UNITS_PER_CHARACTER = 16;

const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** Control characters, bidi controls, and lone surrogates. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\p{Cs}]/gu;
/**
 * More marks on one character than Unicode's stream-safe format allows (UAX 15): nobody can tell them apart, and
 * sorting them takes time quadratic in their number.
 */
const EXCESSIVE_MARKS = /\p{M}{31}/u;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

/**
 * A text as it is stored: NFC, without control and bidi characters, trimmed; line breaks and tabs become spaces. `''`
 * = nothing visible is left; `null` = more than `maxCharacters` characters as people see them, or one with excessive
 * marks.
 */
export function cleanReviewText(sent: string, maxCharacters: number): string | null {
  if (sent.length > maxCharacters * MAX_UNITS_PER_CHARACTER) return null;
  const plain = sent.replace(LINE_BREAKS, ' ').replace(CONTROL_CHARACTERS, '');
  if (EXCESSIVE_MARKS.test(plain)) return null;
  const text = plain.normalize('NFC').trim();
  if (!VISIBLE.test(text)) return '';
  return isLonger(text, maxCharacters) ? null : text;
}

const characters = new Intl.Segmenter('ro', { granularity: 'grapheme' });

function isLonger(text: string, maxCharacters: number): boolean {
  if (text.length <= maxCharacters) return false;
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

/** A review accepted from this client earlier; `at` in epoch ms. */
export type EarlierReview = { readonly station: string; readonly at: number };

/**
 * How long a client must wait before reviewing a station, ms, given its accepted reviews; 0 = no wait. Days are days
 * in Bucharest. Rule 39.
 */
export function reviewWaitMs(earlier: readonly EarlierReview[], station: string, now: number): number {
  const day = bucharestDay(now);
  const today = earlier.filter(({ at }) => bucharestDay(at) === day);
  const here = today.filter((review) => review.station === station);
  return today.length >= MAX_REVIEWS_PER_DAY || here.length >= MAX_REVIEWS_PER_STATION
    ? nextBucharestMidnight(now) - now
    : 0;
}

/** The mean of `count` ratings that add up to `stars`, 1 decimal, half up; 0 when there are none. Rule 38. */
export function meanRating(stars: number, count: number): number {
  return count === 0 ? 0 : Math.floor((20 * stars + count) / (2 * count)) / 10;
}
