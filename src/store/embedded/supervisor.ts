/**
 * The supervisor: one small process that owns the embedded database of one DATA_DIR.
 * It runs while any client is connected to it, and two seconds longer.
 * supervisor-client.ts starts it as `node supervisor.ts DATA_DIR`; its output goes to a log next to the data.
 */
import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../database-errors.ts';
import { prepareDatabase } from './application-role.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import {
  type ClientSockets,
  type Connection,
  controlSocket,
  isSupervisorRunning,
  openClientSockets,
} from './client-sockets.ts';
import { findDatabaseDirectory } from './database-directory.ts';
import { giveTo, isUnfinished, NOBODY, type ProcessUser } from './database-user.ts';
import { type FileLock, takeLock } from './lock.ts';
import { createCluster } from './postgres-cluster.ts';
import { type DatabaseServer, limitLogSize, startServer } from './postgres-server.ts';
import { isStopping, sendSignal, stopPostmaster } from './postmaster.ts';
import { makeSocketDirectory } from './socket-directory.ts';
import { SUPERVISOR_LOCK } from './supervisor-files.ts';

const FIRST_CLIENT_MS = 4000;
const GRACE_MS = 2000;

const log = (message: string) => console.log(`${new Date().toISOString()} ${process.pid} ${message}`);

interface SupervisorState {
  home: string;
  run: string;
  lock: FileLock;
  clientSockets: ClientSockets;
  stop: AbortSignal;
  /** The current server. */
  server: DatabaseServer | undefined;
}

async function main(dataDir: string): Promise<void> {
  process.chdir('/');
  process.umask(0o077);
  const { home, owner } = await findDatabaseDirectory(dataDir, { info: log, warn: log });
  const binaries = await findBinaries(home);
  const rootLock = owner !== undefined && isUnfinished(home) ? await finishAsRoot(home, owner, binaries) : undefined;
  if (owner !== undefined) dropPrivileges(owner);
  let isSupervised = false;
  const lock =
    rootLock ??
    (await takeLock(path.join(home, SUPERVISOR_LOCK), 15_000, async () => {
      isSupervised = await isSupervisorRunning(home);
      return isSupervised;
    }));
  if (lock !== undefined) return supervise(home, lock, binaries);
  if (!isSupervised) throw new Error('another supervisor holds the lock and does not answer');
}

/**
 * As root, creates the cluster of a folder, or takes over an older one, and gives it to its user; returns the lock that
 * it holds, or undefined if another supervisor did it. PostgreSQL's initdb refuses a user without an account: it runs
 * as `nobody`, in a group of its own, so that no other process of `nobody` can reach the folder or look into initdb.
 */
async function finishAsRoot(home: string, owner: ProcessUser, binaries: Binaries): Promise<FileLock | undefined> {
  const lock = await takeLock(path.join(home, SUPERVISOR_LOCK), 60_000, () => !isUnfinished(home));
  if (lock === undefined || !isUnfinished(home)) return lock;
  log('preparing the folder as root');
  await createCluster(home, binaries, undefined, { uid: NOBODY.uid, gid: owner.gid });
  giveTo(home, owner);
  return lock;
}

/** Runs from taking the lock until the last client has disconnected. */
async function supervise(home: string, lock: FileLock, binaries: Binaries): Promise<void> {
  const run = makeSocketDirectory(home);
  // Left by a killed supervisor: only the holder of the lock can know that.
  rmSync(controlSocket(run), { force: true });
  const stop = new AbortController();
  const clientSockets = await openClientSockets(run, { firstClientMs: FIRST_CLIENT_MS, graceMs: GRACE_MS }, () =>
    stop.abort(),
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const state: SupervisorState = { home, run, lock, clientSockets, stop: stop.signal, server: undefined };
  const healthTimer = setInterval(() => checkHealth(state), 1000);
  log('supervising');
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

/** Runs the server, and restarts it whenever it dies, until no client is left. */
async function runServer(state: SupervisorState, postgres: string): Promise<void> {
  const { home, run, clientSockets, stop } = state;
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
  for (;;) {
    const server = await startServer(home, run, postgres, stop);
    state.server = server;
    log(`PostgreSQL ${server.pid} ${server.adopted ? 'adopted' : 'started'}`);
    const connection = await prepare(server, home, run);
    if (connection !== null) clientSockets.publishOutcome({ ready: connection });
    await Promise.race([server.ended, stopped]);
    if (stop.aborted) return;
    clientSockets.withholdOutcome();
    log(`PostgreSQL ${server.pid} ended unexpectedly; restarting it`);
    await sleep(100, undefined, { signal: stop });
  }
}

/** `null` if the server died meanwhile, which is no reason to give up. */
async function prepare(server: DatabaseServer, home: string, run: string): Promise<Connection | null> {
  const diedFirst = server.ended.then(() => null);
  const prepared = prepareDatabase(home, run);
  return Promise.race([
    diedFirst,
    prepared.catch(async (error) => Promise.race([diedFirst, sleep(500).then(() => Promise.reject(error))])),
  ]);
}

function checkHealth(state: SupervisorState): void {
  const { home, lock, server } = state;
  if (!lock.isFileUnchanged()) exitAbandoned(state);
  // After a shutdown request from outside, the server refuses new sessions for as long as an old one stays: restart it
  // instead.
  if (server !== undefined && isStopping(path.join(home, 'data'))) sendSignal(server.pid, 'SIGINT');
  limitLogSize(home);
}

/**
 * When DATA_DIR was deleted, the supervisor exits without touching a path: another supervisor may use the same paths
 * already.
 */
function exitAbandoned({ server }: SupervisorState): never {
  log('the data folder was deleted: exiting immediately');
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
  // The other user cannot write what root has compiled to root's folder.
  flushCompileCache();
  try {
    process.setgroups?.([]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new Error(
      `PostgreSQL does not run as root, and root cannot switch to user ${uid} here (${messageOf(error)}): start Pompa as an ordinary user, or set DATABASE_URL`,
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
