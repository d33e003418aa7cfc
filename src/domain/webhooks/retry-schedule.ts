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
const LONGEST_PAUSE_MS = 24 * HOUR_MS;
/** Each pause varies by so much, so that receivers that failed together are not all tried together. */
const JITTER = 0.1;
/** How long a delivery is tried. */
const TRIED_MS = 75 * HOUR_MS;
/** Of a delivery that waited so long for other reasons, such as an outage of ours, so many tries have to fail. */
const LEAST_TRIES = 4;

export type FailedTries = {
  /** How many failed. */
  readonly tries: number;
  /** Epoch ms, like `now`, which is when the last one failed. */
  readonly since: number;
  readonly now: number;
  /** Between 0 and 1. */
  readonly random: number;
  /** What the receiver asks for, which only makes a pause longer, at most a day. */
  readonly askedMs?: number | null;
};

/** When to try again, epoch ms: the last time 75 hours after the first. `null` = no more. */
export function nextTryAt({ tries, since, now, random, askedMs }: FailedTries): number | null {
  const end = since + TRIED_MS;
  if (now >= end && tries >= LEAST_TRIES) return null;
  const pause = (PAUSES_MS[tries - 1] ?? LONGEST_PAUSE_MS) * (1 - JITTER + 2 * JITTER * random);
  const next = now + Math.max(pause, Math.min(askedMs ?? 0, LONGEST_PAUSE_MS));
  return now < end ? Math.min(next, end) : next;
}
