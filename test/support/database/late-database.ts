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
  /** Settled when another attempt begins. */
  #next = Promise.withResolvers<void>();

  /** `prepare` runs on the database before anything else uses it. */
  constructor(prepare: (database: Database) => Promise<void> = async () => undefined) {
    const { signal } = this.#stop;
    const open = () => {
      this.#next.resolve();
      this.#next = Promise.withResolvers();
      return this.#attempt.promise;
    };
    this.connection = new InitialConnection({ open, prepare, log: silentLog, signal });
    void this.connection.connect();
  }

  /** Lets the attempt under way succeed. */
  async open(database: Database): Promise<void> {
    this.#attempt.resolve(database);
    await new Promise<void>((ready) => this.connection.onReady(ready));
  }

  /** Lets the attempt under way fail, and waits for the next one. */
  async failOnce(): Promise<void> {
    const { promise: next } = this.#next;
    this.#failAttempt();
    await next;
  }

  /** Lets the first two attempts fail; the next one follows a second later. */
  async fail(): Promise<void> {
    await this.failOnce();
    this.#failAttempt();
    await this.connection.whenReady();
  }

  #failAttempt(): void {
    const failed = this.#attempt;
    this.#attempt = Promise.withResolvers();
    failed.reject(new DatabaseUnavailable('connection refused'));
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
  whenReady: async () => false,
  query: unavailable,
  transaction: unavailable,
  listen: () => ({ close: async () => undefined }),
};
