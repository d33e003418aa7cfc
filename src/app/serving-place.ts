/** The place of a process among several that serve one address. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AcceptanceClaims } from '../store/limits/acceptance-claims.ts';

export type ServingPlace = {
  /** How many there are, this one included. */
  readonly processes: number;
  /** The listening socket that this process has inherited, and the address that it is bound to. */
  readonly socket: { readonly fd: number; readonly host: string };
  /**
   * Whether another process serves this socket until this one does: then it accepts no connection before it has
   * everything that its answers need.
   */
  readonly takesOver: boolean;
  /** What all of them accept while the database is away. */
  readonly claims: AcceptanceClaims;
};

/** A process that takes over waits for as long. */
const COMPLETE_WITHIN_MS = 15_000;
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
