/**
 * The keeper: one small process that owns the embedded database of one DATA_DIR.
 * It lives while anybody holds a lifeline to it, and two seconds longer.
 * Called as `node keeper.ts DATA_DIR` by keeper-client.ts; what it prints goes to `keeper.log` beside the data.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../database-errors.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  type ClientSockets,
  type Connection,
  controlSocket,
  isSupervisorRunning,
  openClientSockets,
} from './client-sockets.ts';
import { createCluster, DATABASE_NAME, readPassword } from './cluster.ts';
import { findDatabaseDirectory } from './database-directory.ts';
import { ensureDatabase } from './ensure-database.ts';
import { type FileLock, takeLock } from './lock.ts';
import { isStopping, sendSignal, stopPostmaster } from './postmaster.ts';
import type { ProcessUser } from './root-data-dir.ts';
import { type DatabaseServer, limitLogSize, startServer } from './server.ts';
import { makeSocketDirectory, PORT } from './socket-directory.ts';

const FIRST_CLIENT_MS = 4000;
const GRACE_MS = 2000;

const log = (message: string) => console.log(`${new Date().toISOString()} ${process.pid} ${message}`);

interface SupervisorState {
  home: string;
  run: string;
  lock: FileLock;
  clientSockets: ClientSockets;
  stop: AbortSignal;
  /** The server of the moment. */
  server: DatabaseServer | undefined;
}

async function main(dataDir: string): Promise<void> {
  process.chdir('/');
  process.umask(0o077);
  const { home, owner } = await findDatabaseDirectory(dataDir, { info: log, warn: log });
  const binaries = await findBinaries(home);
  if (owner !== undefined) dropPrivileges(owner);
  let isSupervised = false;
  const lock = await takeLock(path.join(home, 'keeper.lock'), 15_000, async () => {
    isSupervised = await isSupervisorRunning(home);
    return isSupervised;
  });
  if (lock !== undefined) return supervise(home, lock, binaries);
  if (!isSupervised) throw new Error('another keeper holds the lock and does not answer');
}

/** From the lock to the last user's end. */
async function supervise(home: string, lock: FileLock, binaries: Binaries): Promise<void> {
  const run = makeSocketDirectory(home);
  // Left by a keeper that was killed: only the holder of the lock may say so.
  rmSync(controlSocket(run), { force: true });
  const stop = new AbortController();
  const clientSockets = await openClientSockets(run, { firstClientMs: FIRST_CLIENT_MS, graceMs: GRACE_MS }, () =>
    stop.abort(),
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const state: SupervisorState = { home, run, lock, clientSockets, stop: stop.signal, server: undefined };
  const healthTimer = setInterval(() => checkHealth(state), 1000);
  log('keeping');
  try {
    await createCluster(home, binaries, stop.signal);
    await runServer(state, binaries.postgres);
  } catch (error) {
    if (stop.signal.aborted) return;
    clientSockets.publishOutcome({ failed: messageOf(error) });
    throw error;
  } finally {
    clearInterval(healthTimer);
    await shutDown(state);
  }
}

/** Runs the server, and starts it again whenever it dies, until nobody needs it. */
async function runServer(state: SupervisorState, postgres: string): Promise<void> {
  const { home, run, clientSockets, stop } = state;
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
  const connection = connectionTo(home, run);
  for (;;) {
    const server = await startServer(home, run, postgres, stop);
    state.server = server;
    log(`PostgreSQL ${server.pid} ${server.adopted ? 'adopted' : 'started'}`);
    const isUsable = await prepare(server, connection);
    if (isUsable) clientSockets.publishOutcome({ ready: connection });
    await Promise.race([server.ended, stopped]);
    if (stop.aborted) return;
    clientSockets.withholdOutcome();
    log(`PostgreSQL ${server.pid} ended unasked; starting it again`);
    await sleep(100, undefined, { signal: stop });
  }
}

/** False when the server died meanwhile, which is no reason to give up. */
async function prepare(server: DatabaseServer, connection: Connection): Promise<boolean> {
  const diedFirst = server.ended.then(() => false);
  const prepared = ensureDatabase(connection).then(() => true);
  return Promise.race([
    diedFirst,
    prepared.catch(async (error) => Promise.race([diedFirst, sleep(500).then(() => Promise.reject(error))])),
  ]);
}

function connectionTo(home: string, run: string): Connection {
  return { host: run, port: PORT, user: DATABASE_NAME, password: readPassword(home), database: DATABASE_NAME };
}

function checkHealth(state: SupervisorState): void {
  const { home, lock, server } = state;
  if (!lock.isFileUnchanged()) exitAbandoned(state);
  // Asked by somebody else to end, it would turn new sessions away for as long as an old one stays: restart it instead.
  if (server !== undefined && isStopping(path.join(home, 'data'))) sendSignal(server.pid, 'SIGINT');
  limitLogSize(home);
}

/** A deleted DATA_DIR ends its keeper without a trace: another keeper may use the same paths already. */
function exitAbandoned({ server }: SupervisorState): never {
  log('the data folder was deleted: ending at once');
  if (server !== undefined) sendSignal(server.pid, 'SIGKILL');
  process.exit(0);
}

async function shutDown(state: SupervisorState): Promise<void> {
  const { home, run, lock, clientSockets } = state;
  clientSockets.disconnectAll();
  if (!lock.isFileUnchanged()) exitAbandoned(state);
  await stopPostmaster(path.join(home, 'data'));
  if (lock.isFileUnchanged()) rmSync(controlSocket(run), { force: true });
  log('ended');
}

function dropPrivileges({ uid, gid }: ProcessUser): void {
  try {
    process.setgroups?.([]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and root may not become user ${uid} here (${messageOf(error)}): start Pompa as an ordinary user, or set DATABASE_URL`,
    );
  }
}

main(process.argv[2] ?? '').then(
  () => process.exit(0),
  (error) => {
    log(`failed: ${messageOf(error)}`);
    process.exit(1);
  },
);
