/**
 * The monthly usage of every key, in memory, for answers that must not wait for the database: the headers of a valid
 * key on endpoints that need none (rule 2). Includes decisions of this process at once and those of other processes
 * within a second; during an outage of the database it stays as it was.
 */
import type { DatabaseConnection } from '../connection/database-connection.ts';
import type { Listener } from '../connection/listen.ts';
import {
  loadUsage,
  type MonthlyKeyUsage,
  notifyUsage,
  parseUsageNotification,
  USAGE_CHANNEL,
} from './key-usage-notifications.ts';

/** How often this process sends its recorded usage to the others. */
const NOTIFY_INTERVAL_MS = 400;
/** A full load takes one part in so many of the time at most: through a pooler, one is asked for every second. */
const LOAD_SHARE = 20;

export class KeyUsageCache {
  readonly #database: DatabaseConnection;
  readonly #listener: Listener;
  #timer: NodeJS.Timeout | undefined;
  /** By key. */
  readonly #usage = new Map<number, Omit<MonthlyKeyUsage, 'id'>>();
  /** Recorded here and not sent yet: a notification received in the meantime may be older. */
  #unsent = new Set<number>();
  /** Whether notifications may have been missed. */
  #isStale = false;
  /** By `performance.now()`. */
  #nextLoadAt = 0;
  /** Keys whose usage was received or recorded during a full load, and is newer than the loaded one. */
  #updatedDuringLoad: Set<number> | undefined;
  #synchronizing: Promise<void> | undefined;

  /** Sends and receives usage as soon as the database is ready. */
  constructor(database: DatabaseConnection) {
    this.#database = database;
    const reload = () => {
      this.#isStale = true;
      this.#synchronize();
    };
    this.#listener = database.listen(USAGE_CHANNEL, {
      onNotify: (payload) => this.#receive(parseUsageNotification(payload)),
      onListening: reload,
    });
    database.onReady(() => {
      this.#timer = setInterval(() => this.#synchronize(), NOTIFY_INTERVAL_MS);
      reload();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#synchronizing, this.#listener.close()]);
  }

  /** Records the usage after a committed decision, or refund, of this process. */
  recordUsage(id: number, month: number, used: number): void {
    this.#set({ id, month, used });
    this.#unsent.add(id);
  }

  /**
   * What a key has used in the current month (year × 12 + month from 1, UTC), as far as this process knows. As in the
   * database, the usage of next month counts if the clock was set back over the end of a month.
   */
  used(id: number, month: number): number {
    const known = this.#usage.get(id);
    return known !== undefined && known.month >= month ? known.used : 0;
  }

  #receive(updates: readonly MonthlyKeyUsage[]): void {
    for (const use of updates) if (!this.#unsent.has(use.id)) this.#set(use);
  }

  #set({ id, month, used }: MonthlyKeyUsage): void {
    this.#usage.set(id, { month, used });
    this.#updatedDuringLoad?.add(id);
  }

  /** Does one thing at a time; the next call retries what failed. */
  #synchronize(): void {
    if (this.#synchronizing !== undefined) return;
    const isLoadDue = this.#isStale && performance.now() >= this.#nextLoadAt;
    if (!isLoadDue && this.#unsent.size === 0) return;
    this.#synchronizing = (isLoadDue ? this.#load() : this.#notify()).then(() => {
      this.#synchronizing = undefined;
    });
  }

  async #load(): Promise<void> {
    this.#isStale = false;
    this.#updatedDuringLoad = new Set();
    const startedAt = performance.now();
    try {
      for (const { id, ...use } of await loadUsage(this.#database))
        if (!this.#updatedDuringLoad.has(id)) this.#usage.set(id, use);
      this.#nextLoadAt = startedAt + LOAD_SHARE * (performance.now() - startedAt);
    } catch {
      this.#isStale = true;
    } finally {
      this.#updatedDuringLoad = undefined;
    }
  }

  async #notify(): Promise<void> {
    const ids = this.#unsent;
    this.#unsent = new Set();
    try {
      await notifyUsage(this.#database, [...ids]);
    } catch {
      for (const id of ids) this.#unsent.add(id);
    }
  }
}
