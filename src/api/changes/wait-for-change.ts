/** Waits for a change that passes a filter. */
import type { ChangeLog, ChangeTest } from './change-log.ts';

export type Wait = {
  readonly log: ChangeLog;
  readonly seq: number;
  readonly test: ChangeTest;
  readonly ms: number;
  /** Aborted once nobody reads the answer. */
  readonly gone: AbortSignal;
};

/**
 * Resolves when the feed has such a change after `seq`, has more to go through than a request may, begins anew, or
 * closes; at the latest after `ms`. Each change is looked at once, whatever the time.
 */
export function waitForChange({ log, seq, test, ms, gone }: Wait): Promise<void> {
  const epoch = log.head?.epoch;
  let scanned = seq;
  const isOver = () => {
    if (log.isClosed || gone.aborted || log.head?.epoch !== epoch) return true;
    const { entries, next, isUpToDate } = log.after(scanned, test, 1);
    scanned = next;
    return entries.length > 0 || !isUpToDate;
  };
  if (isOver()) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = log.onMore(() => {
    if (isOver()) resolve();
  });
  const timer = setTimeout(resolve, ms);
  const leave = () => resolve();
  gone.addEventListener('abort', leave);
  return promise.finally(() => {
    stop();
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
  });
}
