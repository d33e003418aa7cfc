import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { SESSION } from './connection-pool.ts';
import { PatientClient, patiently } from './idle-timeout.ts';

/** What becomes of the notifications of a channel. */
export interface Hearing {
  onNotify(payload: string): void;
  /** Listening (again): what was said in between was not heard, so the listener had better look for itself. */
  onUp?(): void;
  /** The connection was lost; it is being made again. */
  onDown?(): void;
}

/** A subscription to one channel. */
export interface Listener {
  close(): Promise<void>;
}

/** A server that is gone without a word is noticed within twice this time, and one that is back soon found. */
const HEARTBEAT_MS = 2_000;
const LONGEST_PAUSE_MS = 1_000;

/** Listens on a connection of its own until closed, and connects again, with growing pauses, whenever it is lost. */
export function listenTo(config: pg.ClientConfig, channel: string, hearing: Hearing): Listener {
  const closing = new AbortController();
  const running = run(config, channel, hearing, closing.signal);
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

async function run(config: pg.ClientConfig, channel: string, hearing: Hearing, closing: AbortSignal): Promise<void> {
  let pauseMs = 100;
  while (!closing.aborted) {
    const listened = await listenOnce(config, channel, hearing, closing);
    if (closing.aborted) return;
    pauseMs = listened ? 100 : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    await sleep(pauseMs, undefined, { signal: closing }).catch(() => undefined);
  }
}

/** Whether it came to listening before the connection was lost. */
async function listenOnce(
  config: pg.ClientConfig,
  channel: string,
  hearing: Hearing,
  closing: AbortSignal,
): Promise<boolean> {
  const client: pg.Client = new PatientClient(config);
  const lost = Promise.withResolvers<void>();
  client.on('error', () => lost.resolve());
  client.on('end', () => lost.resolve());
  client.on('notification', ({ payload }) => hearing.onNotify(payload ?? ''));
  const giveUp = () => lost.resolve();
  closing.addEventListener('abort', giveUp);
  let listening = false;
  try {
    await client.connect();
    await patiently(HEARTBEAT_MS, () => client.query(SESSION));
    await patiently(HEARTBEAT_MS, () => client.query(`listen ${client.escapeIdentifier(channel)}`));
    if (closing.aborted) return false;
    listening = true;
    hearing.onUp?.();
    await Promise.race([lost.promise, heartbeat(client, closing)]);
  } catch {
    // Not reached, or lost: said by onDown, and tried again.
  } finally {
    closing.removeEventListener('abort', giveUp);
    await client.end().catch(() => undefined);
  }
  if (listening && !closing.aborted) hearing.onDown?.();
  return listening;
}

/** Rejects when the server no longer answers: a connection that a router forgot looks alive from here. */
async function heartbeat(client: pg.Client, closing: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(HEARTBEAT_MS, undefined, { ref: false, signal: closing });
    await patiently(HEARTBEAT_MS, () => client.query('select'));
  }
}
