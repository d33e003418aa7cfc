import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { SESSION_SETTINGS } from './connection-pool.ts';
import { TimeoutClient, withIdleTimeout } from './idle-timeout.ts';

/** Receives the notifications of a channel. */
export interface NotificationHandlers {
  onNotify(payload: string): void;
  /** Listening (again). Notifications sent while disconnected are lost: read the state again. */
  onListening?(): void;
  /** The connection was lost; the listener reconnects. */
  onConnectionLost?(): void;
}

/** A subscription to one channel. */
export interface Listener {
  close(): Promise<void>;
}

/** The listener notices a silent server within twice this time. */
const HEARTBEAT_MS = 2_000;
const MAX_PAUSE_MS = 1_000;

/** Listens on a connection of its own until closed, and reconnects, with growing pauses, whenever it is lost. */
export function listenTo(config: pg.ClientConfig, channel: string, handlers: NotificationHandlers): Listener {
  const closing = new AbortController();
  const running = run(config, channel, handlers, closing.signal);
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

async function run(
  config: pg.ClientConfig,
  channel: string,
  handlers: NotificationHandlers,
  closing: AbortSignal,
): Promise<void> {
  let pauseMs = 100;
  while (!closing.aborted) {
    const didListen = await listenOnce(config, channel, handlers, closing);
    if (closing.aborted) return;
    pauseMs = didListen ? 100 : Math.min(pauseMs * 2, MAX_PAUSE_MS);
    await sleep(pauseMs, undefined, { signal: closing }).catch(() => undefined);
  }
}

/** Resolves when the connection is lost, with whether it was listening before. */
async function listenOnce(
  config: pg.ClientConfig,
  channel: string,
  handlers: NotificationHandlers,
  closing: AbortSignal,
): Promise<boolean> {
  const client: pg.Client = new TimeoutClient(config);
  const lost = Promise.withResolvers<void>();
  client.on('error', () => lost.resolve());
  client.on('end', () => lost.resolve());
  client.on('notification', ({ payload }) => handlers.onNotify(payload ?? ''));
  const stop = () => lost.resolve();
  closing.addEventListener('abort', stop);
  let listening = false;
  try {
    await client.connect();
    await withIdleTimeout(HEARTBEAT_MS, () => client.query(SESSION_SETTINGS));
    await withIdleTimeout(HEARTBEAT_MS, () => client.query(`listen ${client.escapeIdentifier(channel)}`));
    if (closing.aborted) return false;
    listening = true;
    handlers.onListening?.();
    await Promise.race([lost.promise, heartbeat(client, closing)]);
  } catch {
    // Not reached, or lost: `run` tries again.
  } finally {
    closing.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
  if (listening && !closing.aborted) handlers.onConnectionLost?.();
  return listening;
}

/** Rejects when the server no longer answers: a connection that a router has dropped looks alive from here. */
async function heartbeat(client: pg.Client, closing: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(HEARTBEAT_MS, undefined, { ref: false, signal: closing });
    await withIdleTimeout(HEARTBEAT_MS, () => client.query('select'));
  }
}
