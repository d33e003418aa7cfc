/** Keeps the feed of changes of a serving process current. */
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { CHANGES_CHANNEL, type FeedHead, readFeedHead } from '../../store/changes/feed-head.ts';
import { type FeedReading, type FeedWindow, readFeed, type ToldChange } from '../../store/changes/read-feed.ts';
import type { Database } from '../../store/connection/database.ts';
import { withIdleTimeout } from '../../store/connection/idle-timeout.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { FeedLagMonitor } from './feed-lag-monitor.ts';

/** What holds the feed in memory. */
export type ChangeHolder = {
  readonly head: FeedHead | null;
  readonly window: FeedWindow;
  /** Takes a part of a reading, which `complete` or `abandon` ends. */
  add(epoch: string, changes: readonly ToldChange[]): void;
  complete(reading: FeedReading | null): void;
  abandon(): void;
};

export type ChangeFollower = {
  /** Whether what was told was read once, or could not be. */
  readonly hasRead: boolean;
  close(): Promise<void>;
};

/** Polling interval, in case a notification was lost. */
const POLL_MS = 1_000;
/** How long the server may be silent during a statement. */
const IDLE_TIMEOUT_MS = 15_000;

export type FollowOptions = {
  readonly log: { info(message: string): void; warn(message: string): void };
  /** Epoch ms. */
  readonly clock: () => number;
  /** The version of the publication that this process serves. */
  readonly servedVersion: () => number;
  readonly pollMs?: number;
};

/** Reads what is told, at once and until closed; warns when changes are not told. */
export function followChanges(
  database: Database<Schema>,
  holder: ChangeHolder,
  { log, clock, servedVersion, pollMs = POLL_MS }: FollowOptions,
): ChangeFollower {
  const lag = new FeedLagMonitor(log);
  const outage = new WarnOnce({
    warn: (why) => log.warn(`changes of served prices cannot be read: ${why}`),
    onRecovery: () => log.info('changes of served prices are read again'),
  });
  let isClosed = false;
  let running: Promise<void> | null = null;
  let again = false;
  let hasRead = false;
  const run = async () => {
    while (again && !isClosed) {
      again = false;
      await readMore(database, holder).then(
        () => {
          outage.succeeded();
          lag.observe(holder.head, servedVersion(), clock());
        },
        (error: Error) => {
          if (!isClosed) outage.failed(error.message);
        },
      );
      hasRead = true;
    }
    running = null;
  };
  const check = () => {
    again = true;
    running ??= run();
  };
  const listener = database.listen(CHANGES_CHANNEL, { onNotify: check, onListening: check });
  const poll = setInterval(check, pollMs);
  check();
  return {
    get hasRead() {
      return hasRead;
    },
    async close() {
      isClosed = true;
      clearInterval(poll);
      await listener.close();
      await running;
    },
  };
}

async function readMore(database: Database<Schema>, holder: ChangeHolder): Promise<void> {
  const told = await readFeedHead(database);
  const held = holder.head;
  if (told?.states === held?.states && told?.epoch === held?.epoch) return;
  try {
    const add = (epoch: string, changes: readonly ToldChange[]) => holder.add(epoch, changes);
    const reading = await withIdleTimeout(IDLE_TIMEOUT_MS, () => readFeed(database.kysely, held, holder.window, add));
    holder.complete(reading);
  } catch (error) {
    holder.abandon();
    throw error;
  }
}
