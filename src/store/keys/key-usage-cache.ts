/**
 * What every key has used of its month, in memory, for answers that must not wait for the database: the headers of a
 * valid key on endpoints that take none (rule 2). What another process decided is known here within a second; what
 * this one decided at once. While the database is away it is what was known last.
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

/** How often is told what was noted. */
const NOTIFY_INTERVAL_MS = 400;

export class KeyUsageCache {
  readonly #database: DatabaseConnection;
  readonly #listener: Listener;
  #timer: NodeJS.Timeout | undefined;
  /** Of each key that was used. */
  readonly #uses = new Map<number, Omit<MonthlyKeyUsage, 'id'>>();
  /** Noted here and not told yet: nothing that is heard meanwhile is newer for certain. */
  #unsent = new Set<number>();
  /** Whether messages were missed, or may have been. */
  #isStale = false;
  /** What was heard or noted while all is read anew, and is newer than that. */
  #updatedDuringLoad: Set<number> | undefined;
  #synchronizing: Promise<void> | undefined;

  /** Tells and hears as soon as the database is there. */
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

  /** What a decision of this process left as used, once it is committed; giving back is one, too. */
  recordUsage(id: number, month: number, used: number): void {
    this.#set({ id, month, used });
    this.#unsent.add(id);
  }

  /**
   * How much a key has used of the month that it is now (year × 12 + month from 1, UTC), as far as is known here. Like
   * the database: where the clock was set back over the end of a month, what was used of the coming one counts.
   */
  used(id: number, month: number): number {
    const known = this.#uses.get(id);
    return known !== undefined && known.month >= month ? known.used : 0;
  }

  #receive(updates: readonly MonthlyKeyUsage[]): void {
    for (const use of updates) if (!this.#unsent.has(use.id)) this.#set(use);
  }

  #set({ id, month, used }: MonthlyKeyUsage): void {
    this.#uses.set(id, { month, used });
    this.#updatedDuringLoad?.add(id);
  }

  /** One thing at a time; what fails is tried again at the next turn. */
  #synchronize(): void {
    if (this.#synchronizing !== undefined) return;
    if (!this.#isStale && this.#unsent.size === 0) return;
    this.#synchronizing = (this.#isStale ? this.#load() : this.#notify()).then(() => {
      this.#synchronizing = undefined;
    });
  }

  async #load(): Promise<void> {
    this.#isStale = false;
    this.#updatedDuringLoad = new Set();
    try {
      for (const { id, ...use } of await loadUsage(this.#database))
        if (!this.#updatedDuringLoad.has(id)) this.#uses.set(id, use);
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
