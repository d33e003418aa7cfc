/** Databases that are not there yet, or never will be, as a process that starts sees them. */
import type { Database } from '../../../src/store/connection/database.ts';
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import { RetryingConnection } from '../../../src/store/connection/retrying-connection.ts';
import { DatabaseUnavailable } from '../../../src/store/database-errors.ts';

const silentLog = { info: () => undefined, warn: () => undefined };

/** A connection to a database that comes when the test says so. */
export class LateDatabase {
  readonly connection: RetryingConnection;
  readonly #stop = new AbortController();
  #attempt = Promise.withResolvers<Database>();

  /** `prepare` is done with the database before it is used. */
  constructor(prepare: (database: Database) => Promise<void> = async () => undefined) {
    const { signal } = this.#stop;
    this.connection = new RetryingConnection({ open: () => this.#attempt.promise, prepare, log: silentLog, signal });
    void this.connection.connect();
  }

  /** The attempt under way succeeds. */
  async open(database: Database): Promise<void> {
    this.#attempt.resolve(database);
    await new Promise<void>((ready) => this.connection.onReady(ready));
  }

  /** The attempt under way fails; a second later there is another one. */
  async fail(): Promise<void> {
    const failed = this.#attempt;
    this.#attempt = Promise.withResolvers();
    failed.reject(new DatabaseUnavailable('connection refused'));
    await this.connection.whenReady();
  }

  /** Ends the attempts. */
  close(): void {
    this.#stop.abort();
    this.#attempt.promise.catch(() => undefined);
    this.#attempt.reject(new DatabaseUnavailable('the test is over'));
  }
}

const away = () => Promise.reject(new DatabaseUnavailable('there is no database'));

/** No database, now or later. */
export const NO_DATABASE: DatabaseConnection = {
  state: 'unavailable',
  onReady: () => undefined,
  whenReady: async () => false,
  query: away,
  transaction: away,
  listen: () => ({ close: async () => undefined }),
};
