/** How a process that takes over a socket waits for what its answers need. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { COMPLETE_WITHIN_MS } from './readiness.ts';

const CHECK_MS = 50;

export type CompletionOptions = {
  readonly isComplete: () => boolean;
  /** The database once it is open; rejects when the operator must act. */
  readonly database: Promise<unknown>;
  readonly log: Pick<Logger, 'warn'>;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  readonly withinMs?: number;
};

/**
 * Waits until nothing is missing, but not for ever: a database or a server that is away gives nothing. Rejects with the
 * database.
 */
export async function whenComplete({ database, ...options }: CompletionOptions): Promise<void> {
  const failed = new AbortController();
  const completed = poll({ ...options, signal: AbortSignal.any([options.signal, failed.signal]) });
  await Promise.race([completed, database.then(() => completed)]).finally(() => failed.abort());
}

async function poll({
  isComplete,
  log,
  signal,
  withinMs = COMPLETE_WITHIN_MS,
}: Omit<CompletionOptions, 'database'>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!signal.aborted && !isComplete()) {
    if (performance.now() >= deadline)
      return log.warn(`this process serves before it has read everything: it waited ${withinMs / 1000} s for it`);
    await sleep(CHECK_MS, undefined, { signal }).catch(() => undefined);
  }
}
