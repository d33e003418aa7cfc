/** `X-RateLimit-*`: on every answer to a valid key. Source: API contract, "Limits". */
import type { HeaderList } from './answer.ts';

/** Start of the calendar month in UTC after a moment, epoch ms. */
export function nextMonthStart(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

let cachedReset = { from: 0, until: 0, text: '' };

function resetText(now: number): string {
  if (now < cachedReset.from || now >= cachedReset.until) {
    const until = nextMonthStart(now);
    cachedReset = { from: now, until, text: String(until / 1000) };
  }
  return cachedReset.text;
}

/** A key's use of its quota this month, and when the month ends. */
export function rateLimitHeaders(quota: number, used: number, now: number): HeaderList {
  return [
    'X-RateLimit-Limit',
    String(quota),
    'X-RateLimit-Remaining',
    String(Math.max(0, quota - used)),
    'X-RateLimit-Reset',
    resetText(now),
  ];
}
