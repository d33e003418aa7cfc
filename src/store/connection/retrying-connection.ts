/** A database that may not be there yet: tried until it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { QueryResultRow } from 'pg';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf, type OperatorLog } from '../database-errors.ts';
import type { Database } from './database.ts';
import type { DatabaseConnection } from './database-connection.ts';
import type { Listener, NotificationHandlers } from './listen.ts';
import type { Schema } from './schema.ts';
import type { QueryStatement, TimeLimit } from './time-limit.ts';

const RETRY_MS = 1_000;

export type RetryOptions = {
  readonly open: () => Promise<Database>;
  /** Reads what must be known before the database is used; when it rejects, the attempt has failed. */
  readonly prepare: (database: Database) => Promise<void>;
  readonly log: OperatorLog;
  /** Ends the attempts. */
  readonly signal: AbortSignal;
};

/** Connects in the background, trying again every second while the database cannot be used. */
export class RetryingConnection implements DatabaseConnection {
  readonly #options: RetryOptions;
  readonly #firstAttempt = Promise.withResolvers<void>();
  readonly #onReady: (() => void)[] = [];
  #state: DatabaseConnection['state'] = 'connecting';
  #database: Database | undefined;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  get state(): DatabaseConnection['state'] {
    return this.#state;
  }

  /**
   * Connects; resolves with `null` when asked to stop before. Rejects with `DatabaseMisconfigured` when an operator must
   * act. Call it once.
   */
  async connect(): Promise<Database | null> {
    const { log, signal } = this.#options;
    const outage = new WarnOnce({
      warn: (why) => log.warn(`the database cannot be used and is tried again every second: ${why}`),
    });
    while (!signal.aborted) {
      try {
        return this.#use(await this.#open());
      } catch (error) {
        this.#become('unavailable');
        if (error instanceof DatabaseMisconfigured) throw error;
        if (signal.aborted) break;
        outage.failed(messageOf(error));
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#become('unavailable');
    return null;
  }

  onReady(start: () => void): void {
    if (this.#database === undefined) this.#onReady.push(start);
    else start();
  }

  async whenReady(withinMs?: number): Promise<boolean> {
    const { promise } = this.#firstAttempt;
    if (this.#state === 'connecting')
      await (withinMs === undefined ? promise : withTimeout(withinMs, promise).catch(() => undefined));
    return this.#state === 'ready';
  }

  async query<Row extends QueryResultRow>(statement: QueryStatement, limit: TimeLimit): Promise<Row[]> {
    return this.#opened.query<Row>(statement, limit);
  }

  async transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>, limit?: TimeLimit): Promise<T> {
    return this.#opened.transaction(work, limit);
  }

  listen(channel: string, handlers: NotificationHandlers): Listener {
    let listener: Listener | undefined;
    this.onReady(() => {
      listener = this.#opened.listen(channel, handlers);
    });
    return { close: async () => listener?.close() };
  }

  get #opened(): Database {
    if (this.#database === undefined) throw new DatabaseUnavailable('there is no database yet');
    return this.#database;
  }

  async #open(): Promise<Database> {
    const { open, prepare } = this.#options;
    const database = await open();
    try {
      await prepare(database);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  #use(database: Database): Database {
    this.#database = database;
    this.#become('ready');
    for (const start of this.#onReady.splice(0)) start();
    return database;
  }

  #become(state: 'ready' | 'unavailable'): void {
    this.#state = state;
    this.#firstAttempt.resolve();
  }
}
