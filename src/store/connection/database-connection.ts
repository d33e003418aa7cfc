/** What services are given of a database, from their start on: it may not be there yet. */
import type { Transaction } from 'kysely';
import type { QueryResultRow } from 'pg';
import type { Listener, NotificationHandlers } from './listen.ts';
import type { Schema } from './schema.ts';
import type { QueryStatement, TimeLimit } from './time-limit.ts';

export interface DatabaseConnection {
  /**
   * `connecting` until the first attempt ends, `unavailable` until a later one succeeds, then `ready` for good: of a
   * database that goes away later the queries reject.
   */
  readonly state: 'connecting' | 'ready' | 'unavailable';
  /** Calls `start` once, as soon as the state is `ready`. */
  onReady(start: () => void): void;
  /** Waits while the state is `connecting`, no longer than `withinMs`; resolves with whether it is `ready` then. */
  whenReady(withinMs?: number): Promise<boolean>;
  /**
   * Runs one statement. Rejects with `DatabaseUnavailable` when the database is not there or does not answer in time; a
   * connection that hangs is closed and replaced, not waited for.
   */
  query<Row extends QueryResultRow>(statement: QueryStatement, limit: TimeLimit): Promise<Row[]>;
  /**
   * Runs `work` in one transaction, committed when it resolves and rolled back when it throws. With a limit it rejects
   * with `DatabaseUnavailable` when it is not done in time; nothing is kept then unless the commit was under way.
   */
  transaction<T>(work: (tx: Transaction<Schema>) => Promise<T>, limit?: TimeLimit): Promise<T>;
  /** Passes on the notifications of a channel, on a connection of its own that is restored whenever it is lost. */
  listen(channel: string, handlers: NotificationHandlers): Listener;
}

/** What readers need of it. With its state, by which it cannot be mistaken for a pool. */
export type Queryable = Pick<DatabaseConnection, 'query' | 'state'>;
