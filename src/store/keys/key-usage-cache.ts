/**
 * What every key has used of its month, in memory, for answers that must not wait for the database: the headers of a
 * valid key on endpoints that take none (decision 2). What another process decided is known here within a second; what
 * this one decided at once. While the database is away it is what was known last.
 */
import type { Database } from '../connection/database.ts';
import type { Listener } from '../connection/listen.ts';
import type { Schema } from '../connection/schema.ts';
import { type KeyUse, loadUsage, readNews, tellUsage, USAGE_CHANNEL } from './key-usage-notifications.ts';

/** How often is told what was noted. */
const TELL_MS = 400;

export class KeyUsageView {
  #database: Database<Schema> | undefined;
  #listener: Listener | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Of each key that was used. */
  readonly #uses = new Map<number, Omit<KeyUse, 'id'>>();
  /** Noted here and not told yet: nothing that is heard meanwhile is newer for certain. */
  #untold = new Set<number>();
  /** Whether messages were missed, or may have been. */
  #behind = false;
  /** What was heard or noted while all is read anew, and is newer than that. */
  #since: Set<number> | undefined;
  #working: Promise<void> | undefined;

  /** Begins to tell and to hear. */
  attach(database: Database<Schema>): void {
    this.#database = database;
    const missed = () => {
      this.#behind = true;
      this.#work();
    };
    this.#listener = database.listen(USAGE_CHANNEL, {
      onNotify: (payload) => this.#hear(readNews(payload)),
      onUp: missed,
    });
    this.#timer = setInterval(() => this.#work(), TELL_MS);
    missed();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([this.#working, this.#listener?.close()]);
  }

  /** What a decision of this process left as used, once it is committed; giving back is one, too. */
  note(id: number, month: number, used: number): void {
    this.#set({ id, month, used });
    this.#untold.add(id);
  }

  /**
   * How much a key has used of the month that it is now (year × 12 + month from 1, UTC), as far as is known here. Like
   * the database: where the clock was set back over the end of a month, what was used of the coming one counts.
   */
  used(id: number, month: number): number {
    const known = this.#uses.get(id);
    return known !== undefined && known.month >= month ? known.used : 0;
  }

  #hear(news: readonly KeyUse[]): void {
    for (const use of news) if (!this.#untold.has(use.id)) this.#set(use);
  }

  #set({ id, month, used }: KeyUse): void {
    this.#uses.set(id, { month, used });
    this.#since?.add(id);
  }

  /** One thing at a time; what fails is tried again at the next turn. */
  #work(): void {
    if (this.#working !== undefined) return;
    const { pool } = this.#database as Database<Schema>;
    if (!this.#behind && this.#untold.size === 0) return;
    this.#working = (this.#behind ? this.#load(pool) : this.#tell(pool)).then(() => {
      this.#working = undefined;
    });
  }

  async #load(pool: Database['pool']): Promise<void> {
    this.#behind = false;
    this.#since = new Set();
    try {
      for (const { id, ...use } of await loadUsage(pool)) if (!this.#since.has(id)) this.#uses.set(id, use);
    } catch {
      this.#behind = true;
    } finally {
      this.#since = undefined;
    }
  }

  async #tell(pool: Database['pool']): Promise<void> {
    const ids = this.#untold;
    this.#untold = new Set();
    try {
      await tellUsage(pool, [...ids]);
    } catch {
      for (const id of ids) this.#untold.add(id);
    }
  }
}
