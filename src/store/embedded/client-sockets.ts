import net from 'node:net';
import path from 'node:path';
import { findSocketDirectory } from './socket-directory.ts';
import { SUPERVISOR_SOCKET } from './supervisor-files.ts';

/** How a program reaches the embedded database. */
export interface Connection {
  /** A folder: PostgreSQL listens on a Unix socket in it and nowhere else. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/**
 * What the supervisor sends to a client, as JSON lines: its process id (`keeper`, which other versions read) at once,
 * and the outcome when there is one.
 */
export type SupervisorReply = { keeper: number } | StartOutcome;
export type StartOutcome = { ready: Connection } | { failed: string };

/**
 * The supervisor's end of the client sockets: one connection per client, which the kernel closes when the client dies.
 */
export interface ClientSockets {
  /** Sends the outcome to all current and future clients, until `withholdOutcome`. */
  publishOutcome(outcome: StartOutcome): void;
  /** From now on clients wait for the next outcome. */
  withholdOutcome(): void;
  /** Disconnects all clients; they reconnect when the next supervisor listens. */
  disconnectAll(): void;
}

/** The path of the socket on which the supervisor of a run folder listens. */
export function controlSocket(run: string): string {
  return path.join(run, SUPERVISOR_SOCKET);
}

/** Listens in the run folder; calls `onIdle` when no client has been connected for `graceMs`. */
export async function openClientSockets(
  run: string,
  times: { firstClientMs: number; graceMs: number },
  onIdle: () => void,
): Promise<ClientSockets> {
  const clients = new Set<net.Socket>();
  let reply: StartOutcome | undefined;
  let isRefusing = false;
  let timer = setTimeout(onIdle, times.firstClientMs);
  const server = net.createServer((client) => {
    client.on('error', () => undefined);
    if (isRefusing) return void client.destroy();
    clearTimeout(timer);
    clients.add(client);
    client.once('close', () => {
      clients.delete(client);
      if (clients.size === 0 && !isRefusing) timer = setTimeout(onIdle, times.graceMs);
    });
    client.resume();
    sendReply(client, { keeper: process.pid });
    if (reply !== undefined) sendReply(client, reply);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(controlSocket(run), resolve);
  });
  return {
    publishOutcome(now) {
      reply = now;
      for (const user of clients) sendReply(user, now);
    },
    withholdOutcome() {
      reply = undefined;
    },
    // Does not close the server: that would unlink the path, where another supervisor's socket may be by now.
    disconnectAll() {
      isRefusing = true;
      clearTimeout(timer);
      for (const user of clients) user.destroySoon();
    },
  };
}

/** Whether a running supervisor answers for this home. */
export function isSupervisorRunning(home: string): Promise<boolean> {
  const run = findSocketDirectory(home);
  if (run === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = net.connect(controlSocket(run));
    const settle = (isRunning: boolean) => {
      socket.destroy();
      resolve(isRunning);
    };
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false)).once('close', () => settle(false));
  });
}

function sendReply(client: net.Socket, reply: SupervisorReply): void {
  if (client.writable) client.write(`${JSON.stringify(reply)}\n`);
}
