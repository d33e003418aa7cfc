/** Parses when a price of a list was observed, according to the list. */
import { bucharestDay, dayNumber } from '../../domain/days.ts';
import type { ObservationTime } from '../../domain/reports/observation.ts';
import { cleanText } from '../feed/fields.ts';
import { parseInstant, TOLERATED_AHEAD_MS } from '../manual/parse-values.ts';
import { parseUpdateTime } from '../register/parsing/updated.ts';
import type { Cell } from './list-table.ts';

type ObservedResult = { readonly observed: ObservationTime | null } | { readonly rejected: 'bad_date' | 'future_date' };

/** An unset date field often holds the year 0001 or 1970; no list is older than this day. */
const FIRST_DAY = '2019-01-01';

/**
 * Accepts ISO 8601 with an offset, or a day; with `allowsRomanianDates` also `20.11.2026` and `20/11/2026`, with or
 * without a time, of which it uses the day. A time more than ten minutes after `now`, or a day that has not begun by
 * then, is in the future.
 */
export function readObserved(cell: Cell, now: number, allowsRomanianDates: boolean): ObservedResult {
  if (cell === null || (typeof cell === 'string' && cell.trim() === '')) return { observed: null };
  const text = typeof cell === 'string' ? cleanText(cell) : '';
  const instant = parseInstant(text);
  if (instant !== null) {
    if (instant > now + TOLERATED_AHEAD_MS) return { rejected: 'future_date' };
    return notTooEarly({ day: bucharestDay(instant), at: instant, text });
  }
  const latest = bucharestDay(now + TOLERATED_AHEAD_MS);
  const day = isDay(text) ? text : allowsRomanianDates ? romanianDay(text, latest) : null;
  if (day === null) return { rejected: 'bad_date' };
  return day > latest ? { rejected: 'future_date' } : notTooEarly({ day, at: null, text });
}

/**
 * Whether `a` was observed later than `b`. An instant counts as later than its bare day, and a day as later than
 * nothing.
 */
export function isLater(a: ObservationTime | null, b: ObservationTime | null): boolean {
  if (a === null || b === null) return a !== null;
  if (a.day !== b.day) return a.day > b.day;
  return (a.at ?? Number.NEGATIVE_INFINITY) > (b.at ?? Number.NEGATIVE_INFINITY);
}

function notTooEarly(observed: ObservationTime): ObservedResult {
  return observed.day < FIRST_DAY ? { rejected: 'bad_date' } : { observed };
}

function isDay(text: string): boolean {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Parses a date in the register's format. A day in the far future is distinguished from an invalid date. */
function romanianDay(text: string, latest: string): string | null {
  const read = parseUpdateTime(text, dayNumber(latest));
  if ('observed' in read) return read.observed.day;
  return read.rejected === 'future_date' ? '9999-12-31' : null;
}
