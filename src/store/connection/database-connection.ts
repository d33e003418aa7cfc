/** A service's connection to its database, which may not be ready yet. */
import type { Transaction } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { Listener, NotificationHandlers } from './listen.ts';
import type { QueryStatement, QueryTimeout } from './query-timeout.ts';
import type { Schema } from './schema.ts';

export interface DatabaseConnection {
  /**
   * `connecting` until the first attempt ends, or the second one where the first failed early; `unavailable` until a
   * later one succeeds, then `ready` for good: during a later outage the queries reject.
   */
  readonly state: 'connecting' | 'ready' | 'unavailable';
  /** Calls `start` once, as soon as the state is `ready`. */
  onReady(start: () => void): void;
  /** Waits while the state is `connecting`, at most `withinMs`; resolves with whether it is `ready`. */
  whenReady(withinMs?: number): Promise<boolean>;
  /**
   * Runs one statement. Rejects with `DatabaseUnavailable` if the database is unavailable or does not answer in time;
   * closes and replaces a hanging connection.
   */
  query<Row extends QueryResultRow>(statement: QueryStatement, limit: QueryTimeout): Promise<Row[]>;
  /**
   * Runs `work` in one transaction, commits it when it resolves and rolls back when it throws. With a limit it rejects
   * with `DatabaseUnavailable` if it takes too long; then nothing is stored unless the commit was in progress.
   */
  transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>, limit?: QueryTimeout): Promise<T>;
  /**
   * Listens on a channel with a connection of its own, which it restores whenever it is lost. Where a pooler is between
   * and no direct address is set, it only looks again every second: see `NotificationHandlers`.
   */
  listen(channel: string, handlers: NotificationHandlers): Listener;
}

/**
 * The database of a service: connections that all parts share, and a few that only keys and limits use. Those decide on
 * nearly every request, so they must not wait for connections that other parts hold.
 */
export interface ServiceDatabase extends DatabaseConnection {
  readonly reserved: DatabaseConnection;
}

/** The part that readers need. The state is included so that a pool does not match the type. */
export type Queryable = Pick<DatabaseConnection, 'query' | 'state'>;
