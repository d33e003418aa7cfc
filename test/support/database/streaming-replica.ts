/** A real streaming replica of an embedded database: a base backup of it, and PostgreSQL as a standby. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { findBinaries } from '../../../src/store/embedded/binaries.ts';
import type { Connection } from '../../../src/store/embedded/client-sockets.ts';
import { programEnvironment } from '../../../src/store/embedded/postgres-cluster.ts';
import { homeOf, query, waitFor } from './embedded-database.ts';

export type StreamingReplica = {
  /** The process id of its server. */
  readonly pid: number;
  /** The address of a database on it. */
  readonly urlOf: (database: string) => string;
  /** Stops applying what comes from the primary, and goes on with it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
  /** Ends it without a shutdown. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

const START_MS = 30_000;

/** Copies the running database of a DATA_DIR, whose superuser connection is given, and starts the copy as a standby. */
export async function startReplica(
  dataDir: string,
  primary: Connection,
  maxConnections = 100,
): Promise<StreamingReplica> {
  const home = await homeOf(dataDir);
  const copy = path.join(home, 'replica');
  await baseBackup(path.join(home, 'data'), copy, primary);
  const { host, port, user, password } = primary;
  writeFileSync(path.join(copy, 'standby.signal'), '');
  const source = `host=${host} port=${port} user=${user} password=${password}`;
  appendFileSync(path.join(copy, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`);
  const { uid, gid } = statSync(path.join(home, 'data'));
  giveTo(copy, uid, gid);
  const { postgres } = await findBinaries(home);
  const own = await freePort();
  const settings = [
    `port=${own}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${maxConnections}`,
  ];
  const child = spawn(postgres, ['-D', copy, ...settings.flatMap((each) => ['-c', each])], {
    ...{ stdio: 'ignore', env: programEnvironment(), cwd: '/' },
    ...(process.getuid?.() === 0 && { uid, gid }),
  });
  const ended = once(child, 'exit');
  const connection = { ...primary, host: '127.0.0.1', port: own };
  const run = (sql: string) => query(connection, sql);
  await waitFor('the replica', START_MS, () => run('select').then(Boolean, () => false));
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  return {
    pid: child.pid as number,
    urlOf: (database) => `postgres://${user}:${password}@127.0.0.1:${own}/${database}`,
    pause: async () => void (await run('select pg_wal_replay_pause()')),
    resume: async () => void (await run('select pg_wal_replay_resume()')),
    promote: async () => void (await run('select pg_promote()')),
    kill: () => end('SIGQUIT'),
    async close() {
      await end('SIGINT');
      rmSync(copy, { recursive: true });
    },
  };
}

/** What `pg_basebackup` does, which the package of the embedded database leaves out. */
async function baseBackup(data: string, copy: string, primary: Connection): Promise<void> {
  const client = new pg.Client(primary);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('replica', true)`);
    cpSync(data, copy, {
      recursive: true,
      // Files of the running server; what it wrote meanwhile is streamed.
      filter: (file) => !/\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+)$/.test(file),
    });
    mkdirSync(path.join(copy, 'pg_wal/archive_status'), { recursive: true });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    writeFileSync(path.join(copy, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
}

function giveTo(folder: string, uid: number, gid: number): void {
  chmodSync(folder, 0o700);
  if (process.getuid?.() !== 0) return;
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    chownSync(path.join(folder, name), uid, gid);
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
