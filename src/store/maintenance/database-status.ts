/** The health of a database, and recent work in it. */
import type { Queryable } from '../connection/database-connection.ts';

/** The state of a server and a database, whatever its tables. */
export type DatabaseStatus = {
  readonly version: string;
  readonly encoding: string;
  /** The server's time zone; our sessions set their own. */
  readonly timezone: string;
  readonly readOnly: boolean;
  /** Whether it follows another server, and stores nothing itself. */
  readonly isStandby: boolean;
  /** `synchronous_commit` of our sessions. */
  readonly synchronousCommit: string;
  /** Whether commits are to wait for a standby. */
  readonly hasSynchronousStandby: boolean;
  readonly bytes: number;
  readonly connections: number;
  readonly maxConnections: number;
  /** The server's clock minus ours, ms, and the uncertainty of that. */
  readonly clockOffsetMs: number;
  readonly marginMs: number;
};

const STATUS_TIMEOUT = { withinMs: 3_000 };

const READ_STATUS = `
  select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
    (select reset_val from pg_settings where name = 'TimeZone') as timezone,
    pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "readOnly",
    pg_is_in_recovery() as "isStandby", current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('synchronous_standby_names') <> '' as "hasSynchronousStandby",
    pg_database_size(current_database()) as bytes,
    (select sum(numbackends)::int from pg_stat_database) as connections,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections"`;

/** Rejects with `DatabaseUnavailable` if the database does not answer within 3 seconds. */
export async function readDatabaseStatus(database: Queryable, clock: () => number): Promise<DatabaseStatus> {
  const [row] = await database.query<Omit<DatabaseStatus, 'clockOffsetMs' | 'marginMs'>>(
    { text: READ_STATUS },
    STATUS_TIMEOUT,
  );
  const before = clock();
  const [clockRow] = await database.query<{ at: number }>({ text: 'select clock_timestamp() as at' }, STATUS_TIMEOUT);
  const after = clock();
  if (row === undefined || clockRow === undefined) throw new Error('the database answered without a row');
  return { ...row, clockOffsetMs: clockRow.at - (before + after) / 2, marginMs: (after - before) / 2 };
}

/** Recent work; instants in epoch ms. */
export type Activity = {
  readonly publishedAt: number | null;
  readonly sources: readonly SourceActivity[];
  /** The process that is collecting at present. */
  readonly collector: string | null;
  readonly subscriptions: number;
  /** Push messages that were due more than a quarter of an hour ago. */
  readonly overdueMessages: number;
};

export type SourceActivity = {
  readonly name: string;
  readonly deliveredAt: number | null;
  /** When it was last collected, by schedule or by hand. */
  readonly collectedAt: number | null;
  readonly last: {
    readonly at: number;
    readonly outcome: string;
    readonly rows: number;
    readonly reason: string | null;
  } | null;
};

const SOURCES = `
  select s.name, (select delivered_at from sources where sources.name = s.name) as "deliveredAt",
    (select max(at) from runs where source = s.name) as "collectedAt",
    last.at, last.outcome, last.rows, last.reason
  from unnest($1::text[]) as s (name)
  left join lateral (
    select finished_at as at, outcome, rows, reason from runs where source = s.name order by id desc limit 1) last on true`;

const OTHERS = `
  select (select published_at from publication) as "publishedAt",
    (select holder from leases where name = 'collect' and expires_at > clock_timestamp()) as collector,
    (select count(*) from push_subscriptions) as subscriptions,
    (select count(*) from alert_deliveries
     where done_at is null and due_at < clock_timestamp() - interval '15 minutes') as "overdueMessages"`;

type SourceRow = { name: string; deliveredAt: number | null; collectedAt: number | null; at: number | null };

/** Reads the recent work of the named sources, and the rest. The schema must be up to date. */
export async function readActivity(database: Queryable, sources: readonly string[]): Promise<Activity> {
  const statement = { text: SOURCES, values: [[...sources]] };
  const rows = await database.query<SourceRow & { outcome: string; rows: number; reason: string | null }>(
    statement,
    STATUS_TIMEOUT,
  );
  const [others] = await database.query<Omit<Activity, 'sources'>>({ text: OTHERS }, STATUS_TIMEOUT);
  if (others === undefined) throw new Error('the database answered without a row');
  return {
    ...others,
    sources: rows.map(({ name, deliveredAt, collectedAt, at, ...run }) => ({
      name,
      deliveredAt,
      collectedAt,
      last: at === null ? null : { at, outcome: run.outcome, rows: run.rows, reason: run.reason },
    })),
  };
}
