/** Databases that become available late or never, as a starting process sees them. */
import type { Database } from '../../../src/store/connection/database.ts';
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import { InitialConnection } from '../../../src/store/connection/initial-connection.ts';
import { DatabaseUnavailable } from '../../../src/store/database-errors.ts';

const silentLog = { info: () => undefined, warn: () => undefined };

/** A connection to a database that becomes available when the test opens it. */
export class LateDatabase {
  readonly connection: InitialConnection;
  readonly #stop = new AbortController();
  #attempt = Promise.withResolvers<Database>();

  /** `prepare` runs on the database before anything else uses it. */
  constructor(prepare: (database: Database) => Promise<void> = async () => undefined) {
    const { signal } = this.#stop;
    this.connection = new InitialConnection({ open: () => this.#attempt.promise, prepare, log: silentLog, signal });
    void this.connection.connect();
  }

  /** Lets the attempt under way succeed. */
  async open(database: Database): Promise<void> {
    this.#attempt.resolve(database);
    await new Promise<void>((ready) => this.connection.onReady(ready));
  }

  /** Lets the attempt under way fail; the next one follows a second later. */
  async fail(): Promise<void> {
    const failed = this.#attempt;
    this.#attempt = Promise.withResolvers();
    failed.reject(new DatabaseUnavailable('connection refused'));
    await this.connection.whenAttempted();
  }

  /** Stops further attempts. */
  close(): void {
    this.#stop.abort();
    this.#attempt.promise.catch(() => undefined);
    this.#attempt.reject(new DatabaseUnavailable('the test is over'));
  }
}

const unavailable = () => Promise.reject(new DatabaseUnavailable('there is no database'));

/** No database, now or later. */
export const NO_DATABASE: DatabaseConnection = {
  state: 'unavailable',
  onReady: () => undefined,
  whenAttempted: async () => false,
  whenReady: async () => false,
  query: unavailable,
  transaction: unavailable,
  listen: () => ({ close: async () => undefined }),
};
