/** A PostgreSQL server of a version, with a cluster of its own in a new folder, run as an unprivileged user. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { waitFor } from '../../support/database/embedded-database.ts';
import { installDebianPackages } from '../../support/debian-packages.ts';
import { memoryFolder } from '../../support/memory-folder.ts';
import { freePort } from '../../support/processes/free-port.ts';

/** Of Debian 12. */
const DEBIAN_PROGRAMS = '/usr/lib/postgresql/15/bin';
/** PostgreSQL and PgBouncer refuse root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
export const UNPRIVILEGED = process.getuid?.() === 0 ? NOBODY : {};
const START_MS = 30_000;

export type ServerOptions = {
  /** Folder of `initdb` and `postgres`; Debian's PostgreSQL 15 by default, which is installed where it is missing. */
  readonly programs?: string;
  /** Settings besides the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Lines of `pg_hba.conf`; by default all of loopback are trusted. */
  readonly access?: readonly string[];
  /** Files in its folder, which only its user can read. */
  readonly files?: Readonly<Record<string, string>>;
};

/** Who connects to which database, by default the superuser to `postgres`. */
export type Login = { readonly user?: string; readonly database?: string };

export class PostgresServer {
  readonly port: number;
  readonly folder: string;
  readonly #programs: string;
  readonly #settings: readonly string[];
  readonly #log: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, { programs, settings = {} }: ServerOptions) {
    this.folder = folder;
    this.port = port;
    this.#log = openSync(path.join(folder, 'server.log'), 'a');
    this.#programs = programs ?? DEBIAN_PROGRAMS;
    const all = {
      ...{ listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: folder },
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '100' },
      // Little WAL, since its files lie in memory.
      ...{ max_wal_size: '64MB', min_wal_size: '32MB', ...settings },
    };
    this.#settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  }

  /** Creates the cluster with the superuser `postgres`, and starts it. */
  static async start(options: ServerOptions = {}): Promise<PostgresServer> {
    if (options.programs === undefined && !hasDebianServer()) throw new Error('postgresql-15 could not be installed');
    const server = new PostgresServer(newFolder(), await freePort(), options);
    try {
      server.#initialize(options);
      await server.#launch();
      return server;
    } catch (error) {
      await server.end();
      throw error;
    }
  }

  /** The address for a user and a database over TCP. */
  url({ user = 'postgres', database = 'postgres' }: Login = {}, password = 'none'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs statements as the superuser, through its socket. */
  async sql(text: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ host: this.folder, port: this.port, user: 'postgres', database });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Writes a file that only its user can read. */
  write(name: string, text: string): string {
    const file = path.join(this.folder, name);
    writeFileSync(file, text);
    chmodSync(file, 0o600);
    if (UNPRIVILEGED === NOBODY) chownSync(file, NOBODY.uid, NOBODY.gid);
    return file;
  }

  /** What it has logged. */
  log(): string {
    return readFileSync(path.join(this.folder, 'server.log'), 'utf8');
  }

  /** Stops it and deletes its folder. */
  async end(): Promise<void> {
    const child = this.#process;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
    }
    closeSync(this.#log);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #initialize({ access, files = {} }: ServerOptions): void {
    const data = path.join(this.folder, 'data');
    const args = ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const { status, stderr } = spawnSync(path.join(this.#programs, 'initdb'), args, {
      ...{ ...UNPRIVILEGED, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' }, encoding: 'utf8' },
    });
    if (status !== 0) throw new Error(`initdb: ${stderr}`);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    const lines = access === undefined ? ['host all all 127.0.0.1/32 trust'] : access;
    writeFileSync(path.join(data, 'pg_hba.conf'), ['local all all trust', ...lines, ''].join('\n'));
  }

  async #launch(): Promise<void> {
    const args = ['-D', path.join(this.folder, 'data'), ...this.#settings];
    this.#process = spawn(path.join(this.#programs, 'postgres'), args, {
      ...{ ...UNPRIVILEGED, cwd: '/', stdio: ['ignore', 'ignore', this.#log] },
      env: { PATH: process.env.PATH, TZ: 'UTC' },
    });
    const answers = () => this.sql('select').then(Boolean, () => false);
    await waitFor('the server', START_MS, answers);
  }
}

/** A new folder that belongs to the user of the servers, whatever TMPDIR is. */
function newFolder(): string {
  const folder = mkdtempSync(path.join(memoryFolder() ?? '/tmp', 'pompa-server-'));
  if (UNPRIVILEGED === NOBODY) chownSync(folder, NOBODY.uid, NOBODY.gid);
  return folder;
}

function hasDebianServer(): boolean {
  const isThere = () => existsSync(path.join(DEBIAN_PROGRAMS, 'postgres'));
  return isThere() || (installDebianPackages(['postgresql-15']) && isThere());
}
