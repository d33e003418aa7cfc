/** Waits for something for a bounded time, which a test lets go by. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; rejects when the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

/** Whether something resolves before the time is over; resolves with `true` once the signal is aborted, too. */
export async function isWithin(
  ms: number,
  promise: Promise<unknown>,
  pause: Pause,
  signal?: AbortSignal,
): Promise<boolean> {
  const waited = new AbortController();
  const signals = signal === undefined ? [waited.signal] : [waited.signal, signal];
  const late = pause(ms, AbortSignal.any(signals)).then(
    () => false,
    () => true,
  );
  const isInTime = await Promise.race([promise.then(() => true), late]);
  waited.abort();
  return isInTime;
}
