/** How often one client or one account does something within an hour, counted in the memory of a process. */
import { TokenBuckets } from '../../concurrency/token-buckets.ts';

const HOUR_SECONDS = 3_600;
const MAX_KEYS = 10_000;

/** Buckets that hold `perHour` and refill evenly. */
export function hourlyLimit(perHour: number): TokenBuckets {
  return new TokenBuckets({ burst: perHour, perSecond: perHour / HOUR_SECONDS, maxKeys: MAX_KEYS });
}

/** How long whoever has used up all waits for the next one, ms. */
export const hourlyWaitMs = (perHour: number): number => (HOUR_SECONDS / perHour) * 1_000;
