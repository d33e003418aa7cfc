/** How old data are, and how long to wait, in words. */
import { counted, DAYS, HOURS, MINUTES, type Noun } from '../../site/html/counted.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `3 hours ago`, of an instant in epoch ms; `null` = nothing was ever collected. */
export function updatedText(updatedAt: number | null, now: number): string {
  if (updatedAt === null) return 'no prices have been collected yet';
  return `updated ${spanText(Math.max(0, now - updatedAt), Math.floor)} ago`;
}

/** `Try again in 2 hours.`, of whole seconds: never sooner than that. */
export function waitText(seconds: number): string {
  return `Try again in ${seconds < 60 ? counted(seconds, SECONDS, 'en') : spanText(1_000 * seconds, Math.ceil)}.`;
}

/** `observed yesterday`, of a number of calendar days; `null` = the source does not say. */
export function observedText(days: number | null | undefined): string {
  if (days === null || days === undefined) return 'date of observation unknown';
  if (days <= 0) return 'observed today';
  return days === 1 ? 'observed yesterday' : `observed ${days} days ago`;
}

/** In the largest unit that says enough. */
function spanText(ms: number, whole: (count: number) => number): string {
  if (ms < HOUR_MS) return counted(whole(ms / MINUTE_MS), MINUTES, 'en');
  if (ms < 2 * DAY_MS) return counted(whole(ms / HOUR_MS), HOURS, 'en');
  return counted(whole(ms / DAY_MS), DAYS, 'en');
}

const SECONDS: Noun = { ro: { one: 'secundă', many: 'secunde' }, en: { one: 'second', many: 'seconds' } };
