/** A database that commits statements in time, but whose answers come when the test says so. */
import type { QueryResultRow } from 'pg';
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import type { QueryStatement, QueryTimeout } from '../../../src/store/connection/query-timeout.ts';

type Hold = {
  readonly committed: PromiseWithResolvers<void>;
  readonly released: PromiseWithResolvers<void>;
};

export class HeldAnswers implements Pick<DatabaseConnection, 'state' | 'whenReady' | 'query'> {
  readonly state = 'ready';
  readonly #database: Pick<DatabaseConnection, 'query'>;
  readonly #holds: Hold[] = [];

  constructor(database: Pick<DatabaseConnection, 'query'>) {
    this.#database = database;
  }

  /** Holds the answer of the next statement for which no answer is held yet. */
  holdNext(): { readonly committed: Promise<void>; readonly release: () => void } {
    const hold = { committed: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() };
    this.#holds.push(hold);
    return { committed: hold.committed.promise, release: () => hold.released.resolve() };
  }

  whenReady(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async query<Row extends QueryResultRow>(statement: QueryStatement, limit: QueryTimeout): Promise<Row[]> {
    const hold = this.#holds.shift();
    const rows = await this.#database.query<Row>(statement, limit);
    hold?.committed.resolve();
    await hold?.released.promise;
    return rows;
  }
}
