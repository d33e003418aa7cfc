import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseUnavailable, type Log, messageOf } from '../database-errors.ts';
import { type Connection, controlSocket, type Outcome, type Reply } from './client-sockets.ts';
import { findPlace, type Place } from './database-directory.ts';
import { runFolder } from './socket-directory.ts';

/** A hold on the embedded database: it runs at least until `close()` or the end of this process. */
export interface Attachment {
  connection: Connection;
  close(): Promise<void>;
}

export interface AttachOptions {
  signal?: AbortSignal;
  log?: Log;
}

interface Held {
  lifeline: net.Socket;
  connection: Connection;
}

const PATIENCE_MS = 60_000;
const silent: Log = { info: () => undefined, warn: () => undefined };

/**
 * Makes the embedded database of `dataDir` run, or joins those who use it already, and holds it until closed.
 * A killed keeper is replaced in the background, while PostgreSQL goes on.
 * Throws DatabaseMisconfigured where an operator must act, DatabaseUnavailable where a later try may succeed.
 */
export async function attach(dataDir: string, { signal, log = silent }: AttachOptions = {}): Promise<Attachment> {
  const closing = new AbortController();
  const place = await findPlace(path.resolve(dataDir), log);
  let held = await reach(place, signal);
  const watch = () => {
    held.lifeline.unref();
    held.lifeline.once('close', () => {
      if (!closing.signal.aborted) void restore();
    });
  };
  const restore = async () => {
    log.info('the keeper of the embedded database is gone: replacing it');
    const again = await reachAgain(place, closing.signal, log);
    if (again === undefined) return;
    held = again;
    watch();
  };
  watch();
  return {
    connection: held.connection,
    async close() {
      closing.abort();
      held.lifeline.destroy();
    },
  };
}

/** Until it succeeds, with growing pauses; undefined when closed meanwhile. */
async function reachAgain(place: Place, closing: AbortSignal, log: Log): Promise<Held | undefined> {
  for (let pauseMs = 500; !closing.aborted; pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      const held = await reach(await findPlace(place.dataDir, log), closing);
      if (!closing.aborted) return held;
      held.lifeline.destroy();
    } catch (error) {
      if (closing.aborted) return undefined;
      log.warn(`the embedded database cannot be kept: ${messageOf(error)}`);
      await sleep(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    }
  }
  return undefined;
}

/** Knocks until a keeper answers, and starts one whenever none is there. */
async function reach(place: Place, signal: AbortSignal | undefined): Promise<Held> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  let keeper: ChildProcess | undefined;
  for (;;) {
    const held = await knock(place.home, until);
    if (held !== undefined) return held;
    signal?.throwIfAborted();
    if (deadline.aborted)
      throw new DatabaseUnavailable(`the embedded database was not ready after ${PATIENCE_MS / 1000} seconds`);
    if (keeper?.exitCode)
      throw new DatabaseUnavailable(`the embedded database did not start: ${lastWords(place.home)}`);
    if (keeper === undefined || keeper.exitCode !== null || keeper.signalCode !== null) keeper = spawnKeeper(place);
    await sleep(15);
  }
}

/** One try: undefined when nobody listens, or the keeper is leaving. */
async function knock(home: string, until: AbortSignal): Promise<Held | undefined> {
  const run = runFolder(home);
  if (run === undefined || until.aborted) return undefined;
  const lifeline = net.connect(controlSocket(run));
  const giveUp = () => lifeline.destroy();
  until.addEventListener('abort', giveUp);
  const outcome = await readOutcome(lifeline);
  until.removeEventListener('abort', giveUp);
  if (outcome === undefined) return undefined;
  if ('ready' in outcome) return { lifeline, connection: outcome.ready };
  throw new DatabaseUnavailable(`the embedded database did not start: ${outcome.failed}`);
}

/** The keeper's first decisive word, or undefined when the lifeline closes without one. */
function readOutcome(lifeline: net.Socket): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    let text = '';
    lifeline.setEncoding('utf8');
    lifeline.on('error', () => undefined);
    lifeline.once('close', () => resolve(undefined));
    lifeline.on('data', (part: string) => {
      text += part;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const reply = JSON.parse(line) as Reply;
        if (!('keeper' in reply)) resolve(reply);
      }
    });
  });
}

function spawnKeeper({ dataDir, home, owner }: Place): ChildProcess {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const log = openSync(path.join(home, 'keeper.log'), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  try {
    if (owner !== undefined) fchownSync(log, owner.uid, owner.gid);
    if (fstatSync(log).size > 100_000) ftruncateSync(log);
    const keeper = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./supervisor.ts')), dataDir], {
      stdio: ['ignore', log, log],
      env: keeperEnvironment(),
      detached: true,
    });
    keeper.on('error', () => undefined);
    keeper.unref();
    return keeper;
  } finally {
    closeSync(log);
  }
}

/** Nothing that changes how Node.js or pg behave: a test runner's or debugger's options are not for the keeper. */
function keeperEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(NODE|PG)/.test(name));
  // Named, though empty: Node.js hands this one on by itself where it is not.
  return { ...Object.fromEntries(others), NODE_V8_COVERAGE: undefined };
}

function lastWords(home: string): string {
  const lines = readFileSync(path.join(home, 'keeper.log'), 'utf8').trim().split('\n');
  return (lines.at(-1) ?? '').replace(/^.* failed: /, '');
}
