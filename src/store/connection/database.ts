import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import type pg from 'pg';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable, type OperatorLog } from '../database-errors.ts';
import { type Attachment, attachToDatabase } from '../embedded/supervisor-client.ts';
import { connectionFailure } from './connection-failure.ts';
import { openPool } from './connection-pool.ts';
import { type AddressSetting, parseDatabaseUrl, serverNameOf } from './database-address.ts';
import type { DatabaseConnection, Queryable, ServiceDatabase } from './database-connection.ts';
import { TimeoutClient } from './idle-timeout.ts';
import { type Listener, type ListenTarget, listenTo } from './listen.ts';
import { type QueryTimeout, runStatement, withinTimeout } from './query-timeout.ts';
import { directProblem } from './replica.ts';
import type { Schema } from './schema.ts';
import { valueTypes } from './value-types.ts';

/** An open PostgreSQL database. */
export interface Database<S = Schema> extends ServiceDatabase {
  /** The shared connections. */
  pool: pg.Pool;
  kysely: Kysely<S>;
  readonly reserved: DatabaseConnection & { readonly pool: pg.Pool };
  /** Whether a pooler is between, as the newest connection has found: there is no session to rely on then. */
  readonly isPooled: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Unset: the embedded database of `dataDir`. */
  databaseUrl?: string | undefined;
  /** The address of the same server without a pooler between, for listening; `databaseUrl` by default. */
  directUrl?: string | undefined;
  /** The setting that has the address, for messages; `DATABASE_URL` by default. */
  setting?: AddressSetting;
  dataDir: string;
  log: OperatorLog;
  signal?: AbortSignal;
  /** Maximum number of shared connections; 10 by default. */
  connections?: number;
}

const SHARED_CONNECTIONS = 10;
/**
 * One for each decision that is under way at once: on keys, on the limits of keys, and on those of clients. While all
 * keys are being read, their pages and lookups take turns with these.
 */
const RESERVED_CONNECTIONS = 3;

const MIN_SERVER_VERSION = 15;

/**
 * Opens the database; starts the embedded one if there is no address. Throws DatabaseMisconfigured if an operator must
 * act, DatabaseUnavailable if the caller may try again.
 */
export async function openDatabase<S = Schema>(options: DatabaseOptions): Promise<Database<S>> {
  const embedded = options.databaseUrl === undefined ? await attachToDatabase(options.dataDir, options) : undefined;
  const address =
    options.databaseUrl === undefined
      ? { ...embedded?.connection }
      : parseDatabaseUrl(options.databaseUrl, options.setting);
  const config = { ...CLIENT_CONFIG, ...address };
  const direct =
    options.directUrl === undefined
      ? null
      : { ...CLIENT_CONFIG, ...parseDatabaseUrl(options.directUrl, 'DATABASE_DIRECT_URL') };
  const database = createDatabase<S>({ ...options, config, direct }, embedded);
  try {
    await checkServer(database, serverNameOf(config), options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

const CLIENT_CONFIG: pg.ClientConfig = {
  application_name: 'pompa',
  connectionTimeoutMillis: 2000,
  keepAlive: true,
  types: valueTypes,
};

type CreateOptions = DatabaseOptions & { readonly config: pg.ClientConfig; readonly direct: pg.ClientConfig | null };

function createDatabase<S>(options: CreateOptions, attachment: Attachment | undefined): Database<S> {
  const { config, log, connections = SHARED_CONNECTIONS } = options;
  const listeners = new Set<Listener>();
  let isPooled = false;
  const onSession = (found: boolean) => {
    isPooled = found;
  };
  const shared = openPool(config, { connections, log, onSession });
  const reserved = openPool(config, { connections: RESERVED_CONNECTIONS, log, onSession });
  const connectionOn = (pool: pg.Pool): DatabaseConnection => ({
    state: 'ready',
    onReady: (start) => start(),
    whenReady: async () => true,
    query: (statement, limit) => runStatement(pool, statement, limit),
    transaction: (work, limit) => runTransaction(pool, work, limit),
    listen(channel, handlers) {
      const listener = listenTo(target, channel, handlers);
      listeners.add(listener);
      return listener;
    },
  });
  const ofShared = connectionOn(shared);
  const target = listenTarget(ofShared, options);
  return {
    ...ofShared,
    pool: shared,
    kysely: new Kysely<S>({ dialect: new PostgresDialect({ pool: shared }) }),
    reserved: { ...connectionOn(reserved), pool: reserved },
    get isPooled() {
      return isPooled;
    },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()));
      await Promise.all([shared, reserved].map((pool) => (pool.ending ? undefined : pool.end())));
      await attachment?.close();
    },
  };
}

/** Where notifications come from: the direct address, if it is of the same database, else the usual one. */
function listenTarget(
  database: Queryable,
  { config, direct, log, setting = 'DATABASE_URL' }: CreateOptions,
): ListenTarget {
  const outage = new WarnOnce({
    warn: (why) =>
      log.warn(`notifications of the database do not arrive, and news are looked for every second: ${why}`),
    onRecovery: () => log.info('notifications of the database arrive again'),
  });
  const name = direct === null ? setting : 'DATABASE_DIRECT_URL';
  const advice = direct === null ? '; set DATABASE_DIRECT_URL to the address of the server itself' : '';
  const onState = (why: string | null) => {
    if (why === null) outage.succeeded();
    else outage.failed(`${name}: ${why}${advice}`);
  };
  if (direct === null) return { config, onState };
  const refuse = async (client: pg.ClientBase) => {
    const direct: Queryable = { state: 'ready', query: async (statement) => (await client.query(statement)).rows };
    return (await directProblem(database, direct))?.why ?? null;
  };
  return { config: direct, isApart: true, refuse, onState };
}

function runTransaction<T>(
  pool: pg.Pool,
  work: (tx: Transaction<Schema>) => Promise<T>,
  limit: QueryTimeout | undefined,
): Promise<T> {
  const runOn = (connections: PostgresPool) =>
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }) }).transaction().execute(work);
  return limit === undefined ? runOn(pool) : withinTimeout(pool, limit, (client) => runOn(poolOf(client)));
}

/** A pool of one connection for a transaction; the caller releases it. Closes a connection that failed to roll back. */
function poolOf(client: pg.PoolClient): PostgresPool {
  const release = (isBroken?: boolean) => {
    if (isBroken && client instanceof TimeoutClient) client.cut();
  };
  const connection = { query: client.query.bind(client), release } as PostgresPoolClient;
  return { connect: async () => connection, end: async () => undefined, options: {} };
}

async function checkServer(database: Queryable, name: string, options: DatabaseOptions): Promise<void> {
  const version = await serverVersion(database, name, options);
  if (version >= MIN_SERVER_VERSION) return;
  throw new DatabaseMisconfigured(
    `the database ${name} is PostgreSQL ${version}; Pompa needs ${MIN_SERVER_VERSION} or newer: set ${options.setting ?? 'DATABASE_URL'} to such a server`,
  );
}

async function serverVersion(database: Queryable, name: string, options: DatabaseOptions): Promise<number> {
  const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
  for (;;) {
    try {
      const [row] = await database.query<{ version: number }>(SERVER_VERSION, VERSION_TIMEOUT);
      return Math.floor((row?.version ?? 0) / 10_000);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (performance.now() > deadline || !isRecovering(error, options))
        throw new DatabaseUnavailable(`the database ${name} cannot be used: ${connectionFailure(error)}`);
      await sleep(RECOVERING_PAUSE_MS);
    }
  }
}

/**
 * Whether the server will be available in a moment: it recovers from a crash, or is the embedded one, which its
 * supervisor restarts.
 */
function isRecovering(error: unknown, { databaseUrl }: DatabaseOptions): boolean {
  const code = codeOf(error) ?? '';
  return code === CANNOT_CONNECT_NOW || (databaseUrl === undefined && SERVER_GONE_CODES.includes(code));
}

const SERVER_VERSION = { text: `select current_setting('server_version_num')::int as version` };
const VERSION_TIMEOUT = { withinMs: 3_000 };
const CANNOT_CONNECT_NOW = '57P03';
const SERVER_GONE_CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', '57P01', '57P02'];
const RECOVERY_TIMEOUT_MS = 15_000;
const RECOVERING_PAUSE_MS = 100;
