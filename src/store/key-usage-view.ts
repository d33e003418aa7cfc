/**
 * What every key has used of its month, in memory, for answers that must not wait for the database: the headers of a
 * valid key on endpoints that take none (decision 2). What another process decided is known here within a second; what
 * this one decided at once. While the database is away it is what was known last.
 */
import type { Database } from './database.ts';
import type { Listener } from './listen.ts';
import type { Schema } from './schema.ts';
import { loadUsage, readNews, tellUsage, USAGE_CHANNEL, type UsageNews } from './usage-news.ts';

/** How often is told what was noted. */
const TELL_MS = 400;

export class KeyUsageView {
  #database: Database<Schema> | undefined;
  #listener: Listener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #month = 0;
  /** One number for each key used this month. */
  #used = new Map<number, number>();
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
    this.#turnTo(month);
    if (month === this.#month) this.#set(id, used);
    this.#untold.add(id);
  }

  /** How much a key has used of a month (year × 12 + month from 1, UTC), as far as is known here. */
  used(id: number, month: number): number {
    return month === this.#month ? (this.#used.get(id) ?? 0) : 0;
  }

  #hear({ month, used }: UsageNews): void {
    this.#turnTo(month);
    if (month !== this.#month) return;
    for (const [id, count] of used) if (!this.#untold.has(id)) this.#set(id, count);
  }

  #set(id: number, used: number): void {
    this.#used.set(id, used);
    this.#since?.add(id);
  }

  /** Months only follow each other; with a new one everything begins at nothing. */
  #turnTo(month: number): void {
    if (month <= this.#month) return;
    this.#month = month;
    this.#used.clear();
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
      const { month, used } = await loadUsage(pool);
      this.#turnTo(month);
      if (month !== this.#month) return;
      for (const [id, count] of used) if (!this.#since.has(id)) this.#used.set(id, count);
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
