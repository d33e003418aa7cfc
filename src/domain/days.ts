/** Calendar days of Bucharest. Instants are epoch milliseconds, days are `YYYY-MM-DD` or day numbers since 1970. */

const ZONE = 'Europe/Bucharest';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A day as the number of days since 1970-01-01: differences are plain subtraction. */
export type DayNumber = number;

/** The calendar day in Bucharest at an instant, `YYYY-MM-DD`. Rule 20. */
export function bucharestDay(instant: number): string {
  return zoned(instant).toPlainDate().toString();
}

/** The hour of the wall clock in Bucharest, 0 to 23. */
export function bucharestHour(instant: number): number {
  return zoned(instant).hour;
}

/** The first instant of the calendar day in Bucharest that follows the one of `instant` (days have 23 to 25 hours). */
export function nextBucharestMidnight(instant: number): number {
  return zoned(instant).add({ days: 1 }).startOfDay().epochMilliseconds;
}

/** The first instant of a Bucharest day, given as a day number. */
export function startOfBucharestDay(day: DayNumber): number {
  return Temporal.PlainDate.from(dayText(day)).toZonedDateTime(ZONE).epochMilliseconds;
}

/** The instant of a Bucharest wall-clock time; in the hour that occurs twice, the earlier one. */
export function bucharestInstant(local: Temporal.PlainDateTime): number {
  return local.toZonedDateTime(ZONE, { disambiguation: 'earlier' }).epochMilliseconds;
}

/** Noon of a Bucharest day, given as a day number. */
export function noonOfBucharestDay(day: DayNumber): number {
  return bucharestInstant(Temporal.PlainDate.from(dayText(day)).toPlainDateTime({ hour: 12 }));
}

/** The last instant until `now` at which a Bucharest day was `hour` hours old: for what is due once a day. */
export function lastTimeOfDay(hour: number, now: number): number {
  const today = dayNumber(bucharestDay(now));
  const due = (day: DayNumber) => startOfBucharestDay(day) + hour * HOUR_MS;
  return now >= due(today) ? due(today) : due(today - 1);
}

/** `YYYY-MM-DD` → day number. The text must be a valid date. */
export function dayNumber(day: string): DayNumber {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** Day number → `YYYY-MM-DD`. */
export function dayText(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Midnight in UTC at which the day starts, epoch ms: for formatters, which take instants. */
export function utcMidnight(day: DayNumber): number {
  return day * DAY_MS;
}

/** ISO 8601 in UTC with an explicit offset and whole seconds: `2026-11-20T08:00:00+00:00`. */
export function isoInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}+00:00`;
}

/** ISO 8601 in UTC with `Z`, and milliseconds where there are any: `2026-11-20T08:00:00Z`. */
export function utcInstant(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

/** The wall clock in Bucharest at an instant: `2026-11-20 10:00:00`. */
export function bucharestDateTime(instant: number): string {
  return zoned(instant).toPlainDateTime().toString({ smallestUnit: 'second' }).replace('T', ' ');
}

function zoned(instant: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(ZONE);
}
