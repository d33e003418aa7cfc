/** How old data are, in words. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `3 hours ago`, of an instant in epoch ms; `null` = nothing was ever collected. */
export function updatedText(updatedAt: number | null, now: number): string {
  if (updatedAt === null) return 'no prices have been collected yet';
  const age = Math.max(0, now - updatedAt);
  if (age < HOUR_MS) return `updated ${counted(Math.floor(age / MINUTE_MS), 'minute')} ago`;
  if (age < 2 * DAY_MS) return `updated ${counted(Math.floor(age / HOUR_MS), 'hour')} ago`;
  return `updated ${counted(Math.floor(age / DAY_MS), 'day')} ago`;
}

/** `observed yesterday`, of a number of calendar days; `null` = the source does not say. */
export function observedText(days: number | null | undefined): string {
  if (days === null || days === undefined) return 'date of observation unknown';
  if (days <= 0) return 'observed today';
  return days === 1 ? 'observed yesterday' : `observed ${days} days ago`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
