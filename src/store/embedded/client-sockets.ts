import net from 'node:net';
import path from 'node:path';
import { runFolder } from './socket-directory.ts';

/** How a program reaches the embedded database. */
export interface Connection {
  /** A folder: PostgreSQL listens on a Unix socket in it and nowhere else. */
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** What the keeper says to a user, as JSON lines: who it is at once, and the outcome when there is one. */
export type Reply = { keeper: number } | Outcome;
export type Outcome = { ready: Connection } | { failed: string };

/** The keeper's end of the lifelines: one open connection for each user, which the kernel closes when the user dies. */
export interface Lifelines {
  /** Answers all who wait and all who come, until `pause`. */
  answer(outcome: Outcome): void;
  /** From now on users wait for the next answer. */
  pause(): void;
  /** Turns everybody away; they come back when the next keeper listens. */
  refuse(): void;
}

/** The socket on which the keeper of a run folder is found. */
export function controlSocket(run: string): string {
  return path.join(run, 'keeper.sock');
}

/** Listens in the run folder; `onAlone` is called when nobody has held a lifeline for `graceMs`. */
export async function holdLifelines(
  run: string,
  times: { firstMs: number; graceMs: number },
  onAlone: () => void,
): Promise<Lifelines> {
  const users = new Set<net.Socket>();
  let reply: Outcome | undefined;
  let refusing = false;
  let timer = setTimeout(onAlone, times.firstMs);
  const server = net.createServer((user) => {
    user.on('error', () => undefined);
    if (refusing) return void user.destroy();
    clearTimeout(timer);
    users.add(user);
    user.once('close', () => {
      users.delete(user);
      if (users.size === 0 && !refusing) timer = setTimeout(onAlone, times.graceMs);
    });
    user.resume();
    say(user, { keeper: process.pid });
    if (reply !== undefined) say(user, reply);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(controlSocket(run), resolve);
  });
  return {
    answer(now) {
      reply = now;
      for (const user of users) say(user, now);
    },
    pause() {
      reply = undefined;
    },
    // The server is not closed: that would unlink the path, where another keeper's socket may be by now.
    refuse() {
      refusing = true;
      clearTimeout(timer);
      for (const user of users) user.destroySoon();
    },
  };
}

/** Whether a living keeper answers in this place. */
export function isKept(home: string): Promise<boolean> {
  const run = runFolder(home);
  if (run === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = net.connect(controlSocket(run));
    const settle = (kept: boolean) => {
      socket.destroy();
      resolve(kept);
    };
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false)).once('close', () => settle(false));
  });
}

function say(user: net.Socket, reply: Reply): void {
  if (user.writable) user.write(`${JSON.stringify(reply)}\n`);
}
