import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely';
import pg from 'pg';
import { codeOf, DatabaseMisconfigured, DatabaseUnavailable, messageOf, type OperatorLog } from '../database-errors.ts';
import { type Attachment, attachToDatabase } from '../embedded/supervisor-client.ts';
import { openPool } from './connection-pool.ts';
import type { DatabaseConnection, Queryable, ServiceDatabase } from './database-connection.ts';
import { TimeoutClient } from './idle-timeout.ts';
import { type Listener, listenTo } from './listen.ts';
import { type QueryTimeout, runStatement, withinTimeout } from './query-timeout.ts';
import type { Schema } from './schema.ts';
import { valueTypes } from './value-types.ts';

/** An open PostgreSQL database. */
export interface Database<S = Schema> extends ServiceDatabase {
  /** The shared connections. */
  pool: pg.Pool;
  kysely: Kysely<S>;
  readonly reserved: DatabaseConnection & { readonly pool: pg.Pool };
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Unset: the embedded database of `dataDir`. */
  databaseUrl?: string | undefined;
  /** The setting that has the address, for messages; `DATABASE_URL` by default. */
  setting?: 'DATABASE_URL' | 'DATABASE_READ_URL';
  dataDir: string;
  log: OperatorLog;
  signal?: AbortSignal;
  /** Maximum number of shared connections; 10 by default. */
  connections?: number;
}

const SHARED_CONNECTIONS = 10;
/** One for each decision that is under way at once: on keys, on the limits of keys, and on those of clients. */
const RESERVED_CONNECTIONS = 3;

const MIN_SERVER_VERSION = 15;
const EXAMPLE_URL_HINT = 'a good value is postgres://user:password@host:5432/database';

/**
 * Opens the database; starts the embedded one if there is no address. Throws DatabaseMisconfigured if an operator must
 * act, DatabaseUnavailable if the caller may try again.
 */
export async function openDatabase<S = Schema>(options: DatabaseOptions): Promise<Database<S>> {
  const embedded = options.databaseUrl === undefined ? await attachToDatabase(options.dataDir, options) : undefined;
  const address =
    options.databaseUrl === undefined ? { ...embedded?.connection } : parseUrl(options.databaseUrl, options);
  const config: pg.ClientConfig = {
    application_name: 'pompa',
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    types: valueTypes,
    ...address,
  };
  const pools = {
    shared: openPool(config, options.connections ?? SHARED_CONNECTIONS, options.log),
    reserved: openPool(config, RESERVED_CONNECTIONS, options.log),
  };
  const database = createDatabase<S>(pools, config, embedded);
  try {
    await checkServer(database, serverNameOf(config), options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function parseUrl(databaseUrl: string, { setting = 'DATABASE_URL' }: DatabaseOptions): pg.ClientConfig {
  const problem = urlProblemOf(databaseUrl);
  if (problem === undefined) return { connectionString: databaseUrl };
  throw new DatabaseMisconfigured(
    `${setting} is not the address of a PostgreSQL database: ${problem}; ${EXAMPLE_URL_HINT}`,
  );
}

/** Describes the problem in our own words: a parser's message could contain the password. */
function urlProblemOf(databaseUrl: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl)) return 'it does not begin with postgres://';
  try {
    const { host, port } = new pg.Client({ connectionString: databaseUrl });
    return host && Number.isInteger(port) ? undefined : 'it names no server';
  } catch {
    return 'it cannot be read as an address, or names a certificate file that cannot be read';
  }
}

type Pools = { readonly shared: pg.Pool; readonly reserved: pg.Pool };

function createDatabase<S>(
  { shared, reserved }: Pools,
  config: pg.ClientConfig,
  attachment: Attachment | undefined,
): Database<S> {
  const listeners = new Set<Listener>();
  const connectionOn = (pool: pg.Pool): DatabaseConnection => ({
    state: 'ready',
    onReady: (start) => start(),
    whenReady: async () => true,
    query: (statement, limit) => runStatement(pool, statement, limit),
    transaction: (work, limit) => runTransaction(pool, work, limit),
    listen(channel, handlers) {
      const listener = listenTo(config, channel, handlers);
      listeners.add(listener);
      return listener;
    },
  });
  return {
    ...connectionOn(shared),
    pool: shared,
    kysely: new Kysely<S>({ dialect: new PostgresDialect({ pool: shared }) }),
    reserved: { ...connectionOn(reserved), pool: reserved },
    async close() {
      await Promise.all([...listeners].map((listener) => listener.close()));
      await Promise.all([shared, reserved].map((pool) => (pool.ending ? undefined : pool.end())));
      await attachment?.close();
    },
  };
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
        throw new DatabaseUnavailable(`the database ${name} cannot be used: ${messageOf(error)}`);
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

/** The server's name for messages, without the password. */
function serverNameOf(config: pg.ClientConfig): string {
  const { host, port, database } = new pg.Client(config);
  return `${database} on ${host}:${port}`;
}
