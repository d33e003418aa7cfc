/**
 * When a delivery that failed is tried again: ever more slowly, for 75 hours.
 * Source: Standard Webhooks, "Deliverability and reliability".
 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const PAUSES_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
/** Each pause varies by so much, so that receivers that failed together are not all tried together. */
const JITTER = 0.1;
/** The longest wait that a receiver may ask for. */
const MAX_ASKED_MS = 24 * HOUR_MS;

/** Tries of one delivery in all. */
export const MAX_TRIES = PAUSES_MS.length + 1;

/**
 * The pause after a number of failed tries, ms; `null` = no further one. `random` is between 0 and 1; `askedMs` is what
 * the receiver asks for, which only makes a pause longer.
 */
export function pauseAfter(tries: number, random: number, askedMs: number | null = null): number | null {
  const pause = PAUSES_MS[tries - 1];
  if (pause === undefined) return null;
  const varied = pause * (1 - JITTER + 2 * JITTER * random);
  return Math.max(varied, Math.min(askedMs ?? 0, MAX_ASKED_MS));
}
