/** The register's report time, `11/06/2026 00:19 `: Bucharest wall clock, per station. */
import { dayNumber } from '../../../domain/days.ts';
import type { ObservationTime } from '../../../domain/reports/observation.ts';

const UPDATE_TIME_FORMAT =
  /^\s{0,4}(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?:\s{1,4}(\d{1,2}):(\d{2})(?::(\d{2}))?)?\s{0,4}$/;

/** The register was opened in July 2019; older dates (the 01/01/0001 of an unset field) are not observations. */
const FIRST_YEAR = 2019;

export type UpdateTimeResult =
  | { readonly observed: ObservationTime }
  | { readonly rejected: 'bad_date' | 'future_date' };

/**
 * Reads the report time. The register gives a day we trust and a time we only repeat: `at` stays `null`. A time later
 * than the day after `today` (a day number in Bucharest) is not an observation.
 */
export function parseUpdateTime(value: unknown, today: number): UpdateTimeResult {
  const parts = typeof value === 'string' ? UPDATE_TIME_FORMAT.exec(value) : null;
  if (!parts) return { rejected: 'bad_date' };
  const [text, day = '', , month = '', year = '', hour = '0', minute = '0', second = '0'] = parts;
  if (Number(year) < FIRST_YEAR || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return { rejected: 'bad_date' };
  }
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDay(iso)) return { rejected: 'bad_date' };
  return dayNumber(iso) > today + 1 ? { rejected: 'future_date' } : { observed: { day: iso, at: null, text } };
}

function isCalendarDay(iso: string): boolean {
  const instant = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(iso);
}
