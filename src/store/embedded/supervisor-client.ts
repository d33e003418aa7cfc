import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, messageOf, type OperatorLog } from '../database-errors.ts';
import { type Connection, controlSocket, type StartOutcome, type SupervisorReply } from './client-sockets.ts';
import { type DatabaseDirectory, findDatabaseDirectory } from './database-directory.ts';
import { findSocketDirectory } from './socket-directory.ts';
import { type SupervisorProcess, startSupervisor } from './supervisor-process.ts';

/** Keeps the embedded database running at least until `close()` or the end of this process. */
export interface Attachment {
  connection: Connection;
  close(): Promise<void>;
}

export interface AttachOptions {
  signal?: AbortSignal;
  log?: OperatorLog;
}

interface SupervisorConnection {
  socket: net.Socket;
  connection: Connection;
}

const STARTUP_TIMEOUT_MS = 60_000;
const silentLog: OperatorLog = { info: () => undefined, warn: () => undefined };

/**
 * Starts the embedded database of `dataDir`, or joins its current clients, and keeps it running until closed.
 * A killed supervisor is replaced in the background, while PostgreSQL keeps running.
 * Throws DatabaseMisconfigured if the operator must act, DatabaseUnavailable if a later attempt may succeed.
 */
export async function attachToDatabase(
  dataDir: string,
  { signal, log = silentLog }: AttachOptions = {},
): Promise<Attachment> {
  const closing = new AbortController();
  const directory = await findDatabaseDirectory(path.resolve(dataDir), log);
  let supervised = await connectToSupervisor(directory, signal);
  const watch = () => {
    supervised.socket.unref();
    supervised.socket.once('close', () => {
      if (!closing.signal.aborted) void reconnect();
    });
  };
  const reconnect = async () => {
    log.info('the supervisor of the embedded database has ended: replacing it');
    const replacement = await reconnectToSupervisor(directory, closing.signal, log);
    if (replacement === undefined) return;
    supervised = replacement;
    watch();
  };
  watch();
  return {
    connection: supervised.connection,
    async close() {
      closing.abort();
      supervised.socket.destroy();
    },
  };
}

/** Retries until it succeeds, with growing pauses; undefined if closed meanwhile. */
async function reconnectToSupervisor(
  directory: DatabaseDirectory,
  closing: AbortSignal,
  log: OperatorLog,
): Promise<SupervisorConnection | undefined> {
  for (let pauseMs = 500; !closing.aborted; pauseMs = Math.min(pauseMs * 2, 10_000)) {
    try {
      const supervisor = await connectToSupervisor(await findDatabaseDirectory(directory.dataDir, log), closing);
      if (!closing.aborted) return supervisor;
      supervisor.socket.destroy();
    } catch (error) {
      if (closing.aborted) return undefined;
      log.warn(`the supervisor of the embedded database cannot be replaced: ${messageOf(error)}`);
      await sleep(pauseMs, undefined, { ref: false, signal: closing }).catch(() => undefined);
    }
  }
  return undefined;
}

/** Tries to connect until a supervisor answers, and starts one whenever none is running. */
async function connectToSupervisor(
  directory: DatabaseDirectory,
  signal: AbortSignal | undefined,
): Promise<SupervisorConnection> {
  const deadline = AbortSignal.timeout(STARTUP_TIMEOUT_MS);
  const until = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  let supervisor: SupervisorProcess | undefined;
  for (;;) {
    const connected = await tryConnect(directory.home, until);
    if (connected !== undefined) {
      startingSupervisors.delete(directory.home);
      return connected;
    }
    signal?.throwIfAborted();
    if (deadline.aborted) throw new DatabaseUnavailable(timeoutMessage(supervisor));
    const failure = supervisor?.failure();
    if (failure !== undefined) throw new DatabaseUnavailable(`the embedded database did not start: ${failure}`);
    if (supervisor === undefined || !supervisor.isRunning()) supervisor = startingSupervisor(directory);
    await sleep(15);
  }
}

/** Supervisors that this process has started and has not connected to yet, by the folder of their database. */
const startingSupervisors = new Map<string, SupervisorProcess>();

/** The supervisor that another attachment of this process is waiting for, or a new one. */
function startingSupervisor(directory: DatabaseDirectory): SupervisorProcess {
  const starting = startingSupervisors.get(directory.home);
  if (starting?.isRunning() === true) return starting;
  const supervisor = startSupervisor(directory);
  startingSupervisors.set(directory.home, supervisor);
  return supervisor;
}

function timeoutMessage(supervisor: SupervisorProcess | undefined): string {
  const signal = supervisor?.killedBy() ?? null;
  const reason = signal === null ? '' : `: ${signal} ended its supervisor`;
  return `the embedded database was not ready after ${STARTUP_TIMEOUT_MS / 1000} seconds${reason}`;
}

/** One attempt: undefined if nothing listens, or the supervisor is shutting down. */
async function tryConnect(home: string, until: AbortSignal): Promise<SupervisorConnection | undefined> {
  const run = findSocketDirectory(home);
  if (run === undefined || until.aborted) return undefined;
  const socket = net.connect(controlSocket(run));
  const giveUp = () => socket.destroy();
  until.addEventListener('abort', giveUp);
  const outcome = await readStartOutcome(socket);
  until.removeEventListener('abort', giveUp);
  if (outcome === undefined) return undefined;
  if ('ready' in outcome) return { socket, connection: outcome.ready };
  throw new DatabaseUnavailable(`the embedded database did not start: ${outcome.failed}`);
}

/** The supervisor's start outcome, or undefined if the socket closes without one. */
function readStartOutcome(socket: net.Socket): Promise<StartOutcome | undefined> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(undefined));
    socket.on('data', (part: string) => {
      text += part;
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const reply = JSON.parse(line) as SupervisorReply;
        if (!('keeper' in reply)) resolve(reply);
      }
    });
  });
}
