/** A PgBouncer of Debian in front of a server, with few connections. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { waitFor } from '../../support/database/embedded-database.ts';
import { findProgram, installDebianPackages } from '../../support/debian-packages.ts';
import { lastingPort } from '../../support/processes/free-port.ts';
import { type Login, type PostgresServer, UNPRIVILEGED } from './database-server.ts';

const START_MS = 10_000;

/** How long a client keeps a connection of the server. */
type PoolMode = 'transaction' | 'session';

export class PgBouncer {
  readonly port: number;
  readonly #program: string;
  readonly #server: PostgresServer;
  #process: ChildProcess | undefined;

  private constructor(program: string, server: PostgresServer, port: number) {
    this.#program = program;
    this.#server = server;
    this.port = port;
  }

  /** Starts it with `poolSize` connections for each user and database; the users need no password. */
  static async start(
    server: PostgresServer,
    users: readonly string[],
    poolSize: number,
    mode: PoolMode = 'transaction',
  ): Promise<PgBouncer> {
    const isThere = () => findProgram(['pgbouncer']);
    const program = isThere() ?? (installDebianPackages(['pgbouncer']) ? isThere() : null);
    if (program === null) throw new Error('pgbouncer of Debian could not be installed');
    const bouncer = new PgBouncer(program, server, await lastingPort());
    server.write('userlist.txt', users.map((user) => `"${user}" ""\n`).join(''));
    server.write('pgbouncer.ini', bouncer.#settings(poolSize, mode));
    await bouncer.start();
    return bouncer;
  }

  /** The address for a user and a database. */
  url({ user = 'postgres', database = 'postgres' }: Login = {}): string {
    return `postgres://${user}:none@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts it again. */
  async start(): Promise<void> {
    const child = spawn(this.#program, [`${this.#server.folder}/pgbouncer.ini`], {
      ...{ ...UNPRIVILEGED, cwd: '/', stdio: 'ignore' },
    });
    this.#process = child;
    await waitFor('the pooler', START_MS, async () => {
      if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
      return isOpen(this.url());
    });
  }

  /** `KILL` in its console: ends the connections of a database, and lets nobody connect to it. */
  async killConnections(database: string): Promise<void> {
    await this.#console(`KILL ${database}`);
  }

  /** `RESUME` in its console. */
  async resume(database: string): Promise<void> {
    await this.#console(`RESUME ${database}`);
  }

  async #console(command: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url({ database: 'pgbouncer' }) });
    await client.connect();
    await client.query(command).finally(() => client.end());
  }

  /** Ends it at once: every connection through it is lost. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  #settings(poolSize: number, mode: PoolMode): string {
    return `[databases]
* = host=127.0.0.1 port=${this.#server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${this.port}
unix_socket_dir =
auth_type = trust
auth_file = ${this.#server.folder}/userlist.txt
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 200
admin_users = postgres
`;
  }
}

async function isOpen(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
