/** For tests of the embedded database: database users in separate processes, and checks of which processes live. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Connection, controlSocket } from '../../../src/store/embedded/client-sockets.ts';
import { findDatabaseDirectory } from '../../../src/store/embedded/database-directory.ts';
import { superuserConnection } from '../../../src/store/embedded/postgres-cluster.ts';
import { sendSignal } from '../../../src/store/embedded/postmaster.ts';
import { removeEmbeddedDatabase } from '../../../src/store/embedded/remove.ts';
import { findSocketDirectory } from '../../../src/store/embedded/socket-directory.ts';

const CLIENT_SCRIPT = `
const { attachToDatabase } = await import(process.env.SUPERVISOR_CLIENT);
try {
  const { connection } = await attachToDatabase(process.env.DATA_DIR_OF_TEST);
  console.log(JSON.stringify({ connection }));
  process.stdin.resume();
} catch ({ name, message }) {
  console.log(JSON.stringify({ refused: name + ': ' + message }));
}`;

/** A process that uses the embedded database until it is killed. */
export interface DatabaseUser {
  connection: Connection;
  kill(): Promise<void>;
}

/** A fresh folder for one test; afterwards it is deleted, and every user that was started is killed. */
export interface Scratch {
  folder: string;
  /** Starts a user of a DATA_DIR; rejects with the message of the refusal. */
  user(dataDir: string): Promise<DatabaseUser>;
}

export function scratch(t: TestContext): Scratch {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-embedded-'));
  const users = new Map<ChildProcess, string>();
  t.after(async () => {
    await Promise.all([...users.keys()].map(kill));
    for (const dataDir of new Set(users.values())) await removeEmbeddedDatabase(dataDir);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    async user(dataDir) {
      const user = startUser(dataDir);
      users.set(user, dataDir);
      return { connection: await connectionOf(user), kill: () => kill(user) };
    },
  };
}

function startUser(dataDir: string): ChildProcess {
  const client = path.resolve(import.meta.dirname, '../../../src/store/embedded/supervisor-client.ts');
  return spawn(process.execPath, ['--input-type=module', '-e', CLIENT_SCRIPT], {
    env: { ...process.env, DATA_DIR_OF_TEST: dataDir, SUPERVISOR_CLIENT: client },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function connectionOf(user: ChildProcess): Promise<Connection> {
  if (user.stdout === null) throw new Error('a user without output');
  const [line] = await once(createInterface({ input: user.stdout }), 'line');
  const result = JSON.parse(line) as { connection: Connection; refused?: string };
  if (result.refused !== undefined) throw new Error(result.refused);
  return result.connection;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** How the superuser reaches the database of a DATA_DIR; `connection` is the application's. */
export async function superuserOf(dataDir: string, connection: Connection): Promise<Connection> {
  return superuserConnection(await homeOf(dataDir), connection.host);
}

/** Runs one statement on a connection of its own. */
export async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The folder of the database of a DATA_DIR. */
export async function homeOf(dataDir: string): Promise<string> {
  return (await findDatabaseDirectory(dataDir, { info: () => undefined, warn: () => undefined })).home;
}

/** The process id of the supervisor of a home; undefined when none runs. */
export function supervisorPid(home: string): Promise<number | undefined> {
  const run = findSocketDirectory(home);
  if (run === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const socket = net.connect(controlSocket(run));
    socket.once('data', (line) => {
      resolve(JSON.parse(String(line).split('\n')[0] ?? '').keeper);
      socket.destroy();
    });
    socket.once('error', () => resolve(undefined)).once('close', () => resolve(undefined));
  });
}

/** The supervisor's log, which exists as long as its home. */
export function supervisorLog(home: string): string {
  const log = path.join(home, 'keeper.log');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

/**
 * Waits until `check` returns a value; fails after as many checks as fit into `withinMs` on a machine at rest. A busy
 * machine makes fewer checks in that time, so it gets longer.
 */
export async function waitFor<T>(what: string, withinMs: number, check: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (let checks = 0; checks <= withinMs / CHECK_PAUSE_MS; checks += 1) {
    const found = await check();
    if (found) return found;
    await sleep(CHECK_PAUSE_MS);
  }
  throw new Error(`${what}: not within ${withinMs} ms`);
}

const CHECK_PAUSE_MS = 20;

/** Kills a process like the kernel's out-of-memory killer. */
export const sigkill = (pid: number) => sendSignal(pid, 'SIGKILL');
