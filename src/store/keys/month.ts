/** Months as the usage of keys counts them. */

/** The current month in UTC by the database's clock, as a number that rises by one a month. */
export const MONTH = `extract(year from now() at time zone 'UTC')::int * 12 + extract(month from now() at time zone 'UTC')::int`;

/** The first moment after a month, epoch ms. */
export function endOfMonth(month: number): number {
  // Months count from 1: the one after December of a year is January of the next.
  return Date.UTC(Math.floor((month - 1) / 12), ((month - 1) % 12) + 1);
}
