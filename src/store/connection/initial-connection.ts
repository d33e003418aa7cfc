/** Makes the first connection to a database that may not be available yet. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { QueryResultRow } from 'pg';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { DatabaseMisconfigured, DatabaseUnavailable, messageOf, type OperatorLog } from '../database-errors.ts';
import type { Database } from './database.ts';
import type { DatabaseConnection, ServiceDatabase } from './database-connection.ts';
import type { Listener, NotificationHandlers } from './listen.ts';
import type { QueryStatement, QueryTimeout } from './query-timeout.ts';
import type { Schema } from './schema.ts';

const RETRY_MS = 1_000;
/**
 * Beside the rest of the start, on a busy machine, the first attempt may only be late. If it failed within this time,
 * the second one follows soon, and only when that fails, too, is the database unavailable.
 */
const LATE_WITHIN_MS = 5_000;
const RETRY_SOON_MS = 100;

export type RetryOptions = {
  readonly open: () => Promise<Database>;
  /** Reads what the process must know before it uses the database; if it rejects, the attempt has failed. */
  readonly prepare: (database: Database) => Promise<void>;
  readonly log: OperatorLog;
  /** Stops the attempts. */
  readonly signal: AbortSignal;
};

/**
 * Opens the database in the background: retries every second until the first success, and sooner after the first
 * attempt. From then on it only passes on what is asked of it, and stays `ready`: the pool and the listeners reconnect
 * by themselves (`connection-pool.ts`, `listen.ts`).
 */
export class InitialConnection implements ServiceDatabase {
  readonly #options: RetryOptions;
  /** Settled when the state is no longer `connecting`. */
  readonly #connectingEnded = Promise.withResolvers<void>();
  readonly #onReady: (() => void)[] = [];
  #state: DatabaseConnection['state'] = 'connecting';
  #database: Database | undefined;
  readonly reserved: DatabaseConnection = this.#connectionTo((database) => database.reserved);

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  get state(): DatabaseConnection['state'] {
    return this.#state;
  }

  /**
   * Connects; resolves with `null` if it is stopped before. Rejects with `DatabaseMisconfigured` if an operator must
   * act. Call it once.
   */
  async connect(): Promise<Database | null> {
    const { log, signal } = this.#options;
    const outage = new WarnOnce({
      warn: (why) => log.warn(`the database cannot be used and is tried again every second: ${why}`),
    });
    const begunAt = performance.now();
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      try {
        return this.#use(await this.#open());
      } catch (error) {
        const isMisconfigured = error instanceof DatabaseMisconfigured;
        const mayBeLate = isFirst && !isMisconfigured && performance.now() - begunAt < LATE_WITHIN_MS;
        if (!mayBeLate) this.#become('unavailable');
        if (isMisconfigured) throw error;
        if (signal.aborted) break;
        if (mayBeLate) log.info(`the database cannot be used yet: ${messageOf(error)}`);
        else outage.failed(messageOf(error));
        await sleep(mayBeLate ? RETRY_SOON_MS : RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#become('unavailable');
    return null;
  }

  /** There is no database to connect to: `unavailable` for good. */
  stayUnavailable(): null {
    this.#become('unavailable');
    return null;
  }

  onReady(start: () => void): void {
    if (this.#database === undefined) this.#onReady.push(start);
    else start();
  }

  async whenReady(withinMs?: number): Promise<boolean> {
    const { promise } = this.#connectingEnded;
    if (this.#state === 'connecting')
      await (withinMs === undefined ? promise : withTimeout(withinMs, promise).catch(() => undefined));
    return this.#state === 'ready';
  }

  async query<Row extends QueryResultRow>(statement: QueryStatement, limit: QueryTimeout): Promise<Row[]> {
    return this.#opened.query<Row>(statement, limit);
  }

  async transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>, limit?: QueryTimeout): Promise<T> {
    return this.#opened.transaction(work, limit);
  }

  listen(channel: string, handlers: NotificationHandlers): Listener {
    let listener: Listener | undefined;
    this.onReady(() => {
      listener = this.#opened.listen(channel, handlers);
    });
    return { close: async () => listener?.close() };
  }

  /** The same, through other connections of the opened database. */
  #connectionTo(of: (database: Database) => DatabaseConnection): DatabaseConnection {
    const stateOf = () => this.#state;
    return {
      get state() {
        return stateOf();
      },
      onReady: (start) => this.onReady(start),
      whenReady: (withinMs) => this.whenReady(withinMs),
      query: async (statement, limit) => of(this.#opened).query(statement, limit),
      transaction: async (work, limit) => of(this.#opened).transaction(work, limit),
      listen: (channel, handlers) => this.listen(channel, handlers),
    };
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
    this.#connectingEnded.resolve();
  }
}
