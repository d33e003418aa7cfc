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
import { type Connection, controlSocket, holdLifelines, isKept, type Lifelines } from './client-sockets.ts';
import { createCluster, NAME, readPassword } from './cluster.ts';
import { findPlace } from './database-directory.ts';
import { ensureDatabase } from './ensure-database.ts';
import { type Lock, takeLock } from './lock.ts';
import { endPostmaster, isStopping, send } from './postmaster.ts';
import type { Owner } from './root-data-dir.ts';
import { boundLog, type Server, startServer } from './server.ts';
import { makeRunFolder, PORT } from './socket-directory.ts';

const FIRST_USER_MS = 4000;
const GRACE_MS = 2000;

const note = (message: string) => console.log(`${new Date().toISOString()} ${process.pid} ${message}`);

interface Keeping {
  home: string;
  run: string;
  lock: Lock;
  lifelines: Lifelines;
  stop: AbortSignal;
  /** The server of the moment. */
  server: Server | undefined;
}

async function main(dataDir: string): Promise<void> {
  process.chdir('/');
  process.umask(0o077);
  const { home, owner } = await findPlace(dataDir, { info: note, warn: note });
  const binaries = await findBinaries(home);
  if (owner !== undefined) become(owner);
  let kept = false;
  const lock = await takeLock(path.join(home, 'keeper.lock'), 15_000, async () => {
    kept = await isKept(home);
    return kept;
  });
  if (lock !== undefined) return own(home, lock, binaries);
  if (!kept) throw new Error('another keeper holds the lock and does not answer');
}

/** From the lock to the last user's end. */
async function own(home: string, lock: Lock, binaries: Binaries): Promise<void> {
  const run = makeRunFolder(home);
  // Left by a keeper that was killed: only the holder of the lock may say so.
  rmSync(controlSocket(run), { force: true });
  const stop = new AbortController();
  const lifelines = await holdLifelines(run, { firstMs: FIRST_USER_MS, graceMs: GRACE_MS }, () => stop.abort());
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const keeping: Keeping = { home, run, lock, lifelines, stop: stop.signal, server: undefined };
  const watch = setInterval(() => lookAfter(keeping), 1000);
  note('keeping');
  try {
    await createCluster(home, binaries, stop.signal);
    await keep(keeping, binaries.postgres);
  } catch (error) {
    if (stop.signal.aborted) return;
    lifelines.answer({ failed: messageOf(error) });
    throw error;
  } finally {
    clearInterval(watch);
    await leave(keeping);
  }
}

/** Runs the server, and starts it again whenever it dies, until nobody needs it. */
async function keep(keeping: Keeping, postgres: string): Promise<void> {
  const { home, run, lifelines, stop } = keeping;
  const stopped = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve()));
  const connection = connectionTo(home, run);
  for (;;) {
    const server = await startServer(home, run, postgres, stop);
    keeping.server = server;
    note(`PostgreSQL ${server.pid} ${server.adopted ? 'adopted' : 'started'}`);
    const usable = await prepare(server, connection);
    if (usable) lifelines.answer({ ready: connection });
    await Promise.race([server.ended, stopped]);
    if (stop.aborted) return;
    lifelines.pause();
    note(`PostgreSQL ${server.pid} ended unasked; starting it again`);
    await sleep(100, undefined, { signal: stop });
  }
}

/** False when the server died meanwhile, which is no reason to give up. */
async function prepare(server: Server, connection: Connection): Promise<boolean> {
  const died = server.ended.then(() => false);
  const prepared = ensureDatabase(connection).then(() => true);
  return Promise.race([
    died,
    prepared.catch(async (error) => Promise.race([died, sleep(500).then(() => Promise.reject(error))])),
  ]);
}

function connectionTo(home: string, run: string): Connection {
  return { host: run, port: PORT, user: NAME, password: readPassword(home), database: NAME };
}

function lookAfter(keeping: Keeping): void {
  const { home, lock, server } = keeping;
  if (!lock.inPlace()) abandon(keeping);
  // Asked by somebody else to end, it would turn new sessions away for as long as an old one stays: restart it instead.
  if (server !== undefined && isStopping(path.join(home, 'data'))) send(server.pid, 'SIGINT');
  boundLog(home);
}

/** A deleted DATA_DIR ends its keeper without a trace: another keeper may use the same paths already. */
function abandon({ server }: Keeping): never {
  note('the data folder was deleted: ending at once');
  if (server !== undefined) send(server.pid, 'SIGKILL');
  process.exit(0);
}

async function leave(keeping: Keeping): Promise<void> {
  const { home, run, lock, lifelines } = keeping;
  lifelines.refuse();
  if (!lock.inPlace()) abandon(keeping);
  await endPostmaster(path.join(home, 'data'));
  if (lock.inPlace()) rmSync(controlSocket(run), { force: true });
  note('ended');
}

function become({ uid, gid }: Owner): void {
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
    note(`failed: ${messageOf(error)}`);
    process.exit(1);
  },
);
