import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { messageOf } from '../database-errors.ts';
import { TimeoutClient, withIdleTimeout } from './idle-timeout.ts';
import { setUpSession } from './session.ts';

/** Receives the notifications of a channel. */
export interface NotificationHandlers {
  onNotify(payload: string): void;
  /**
   * Read the state again: notifications sent before are lost. Called once listening (again), and each second where
   * nothing can be listened to: through a pooler, or while the direct address cannot be used.
   */
  onListening?(): void;
  /** The connection was lost; the listener reconnects. */
  onConnectionLost?(): void;
}

/** A subscription to one channel. */
export interface Listener {
  close(): Promise<void>;
}

/** Where to listen. */
export type ListenTarget = {
  readonly config: pg.ClientConfig;
  /** Whether the database itself is reached otherwise: it may be there while this address is not. */
  readonly isApart?: boolean;
  /** Says why an own session must not be listened to; by default none is refused. */
  readonly refuse?: (client: pg.ClientBase) => Promise<string | null>;
  /** Told why notifications do not arrive, each time; and `null` when they do. */
  readonly onState?: (why: string | null) => void;
};

/** The listener notices a silent server within twice this time. */
const HEARTBEAT_MS = 2_000;
const MAX_PAUSE_MS = 1_000;
/** How often the state is read again where nothing can be listened to, and how many times before the next attempt. */
const POLL_MS = 1_000;
const POLLS_UNTIL_RETRY = 15;

/** `refused` = notifications do not come to this address, though it can be reached. */
type Ending = 'listened' | 'not reached' | 'refused';

/** Listens on a connection of its own until closed, and reconnects, with growing pauses, whenever it is lost. */
export function listenTo(target: ListenTarget, channel: string, handlers: NotificationHandlers): Listener {
  const closing = new AbortController();
  const running = run(target, channel, handlers, closing.signal);
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

async function run(
  target: ListenTarget,
  channel: string,
  handlers: NotificationHandlers,
  closing: AbortSignal,
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing }).catch(() => undefined);
  let pauseMs = 100;
  while (!closing.aborted) {
    const ending = await listenOnce(target, channel, handlers, closing);
    if (ending === 'refused') {
      for (let polls = 1; polls < POLLS_UNTIL_RETRY && !closing.aborted; polls += 1) {
        handlers.onListening?.();
        await pause(POLL_MS);
      }
      continue;
    }
    if (closing.aborted) return;
    if (ending !== 'listened' && target.isApart) handlers.onListening?.();
    pauseMs = ending === 'listened' ? 100 : Math.min(pauseMs * 2, MAX_PAUSE_MS);
    await pause(pauseMs);
  }
}

/** Resolves when the connection is lost, with whether it was listening before. */
async function listenOnce(
  { config, isApart = false, refuse = async () => null, onState = () => undefined }: ListenTarget,
  channel: string,
  handlers: NotificationHandlers,
  closing: AbortSignal,
): Promise<Ending> {
  const timed = new TimeoutClient(config);
  const client: pg.Client = timed;
  const lost = Promise.withResolvers<void>();
  client.on('error', () => lost.resolve());
  client.on('end', () => lost.resolve());
  client.on('notification', ({ payload }) => handlers.onNotify(payload ?? ''));
  const stop = () => lost.resolve();
  closing.addEventListener('abort', stop);
  let listening = false;
  try {
    await client.connect();
    await setUpSession(timed);
    const refusal = timed.isPooled ? A_POOLER_IS_BETWEEN : await withIdleTimeout(HEARTBEAT_MS, () => refuse(client));
    if (closing.aborted) return 'not reached';
    if (refusal !== null) {
      onState(refusal);
      return 'refused';
    }
    await withIdleTimeout(HEARTBEAT_MS, () => client.query(`listen ${client.escapeIdentifier(channel)}`));
    if (closing.aborted) return 'not reached';
    listening = true;
    onState(null);
    handlers.onListening?.();
    await Promise.race([lost.promise, heartbeat(client, closing)]);
  } catch (error) {
    // Not reached, or lost: `run` tries again.
    if (isApart && !listening && !closing.aborted) onState(messageOf(error));
  } finally {
    closing.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
  if (listening && !closing.aborted) handlers.onConnectionLost?.();
  return listening ? 'listened' : 'not reached';
}

const A_POOLER_IS_BETWEEN = 'it is the address of a pooler';

/** Rejects when the server no longer answers: a connection that a router has dropped looks alive from here. */
async function heartbeat(client: pg.Client, closing: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(HEARTBEAT_MS, undefined, { ref: false, signal: closing });
    await withIdleTimeout(HEARTBEAT_MS, () => client.query('select'));
  }
}
