/** Starts a serving process, as its supervisor sees it. */
import { fork } from 'node:child_process';
import type { BoundSocket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ClaimTable } from '../../store/limits/acceptance-claims.ts';
import {
  type ProcessMetrics,
  type ServingTask,
  SOCKET_FD,
  type ToServingProcess,
  type ToSupervisor,
} from './supervisor-messages.ts';

/** How a process ended. */
export type Ending = {
  /** For the log: `exit code 1`, `SIGKILL`. */
  readonly how: string;
  /** Why it ended by itself, if it could say: the operator must act. */
  readonly reason: string | null;
  /** What it counted, as far as it could tell. */
  readonly metrics: ProcessMetrics;
};

export type ServingChild = {
  readonly pid: number | undefined;
  /** Its address, once it accepts connections; `null` = it ended before. */
  readonly serving: Promise<string | null>;
  readonly ended: Promise<Ending>;
  /** Has it tell load balancers that it is about to end. */
  announceStop(): void;
  /**
   * Lets it end gracefully; `drain` = without losing a request, as another process has taken over its socket. One that
   * drains is ended by a call without.
   */
  stop(drain: boolean): void;
  /** Ends it at once. */
  kill(): void;
  /** What it counts; what it counted when it was last asked, if it does not answer in time. */
  metrics(): Promise<ProcessMetrics>;
  /** Asks for a sign of life; resolves with the next one. */
  answer(): Promise<void>;
};

const PROGRAM = fileURLToPath(import.meta.resolve('./supervised-process.ts'));
/** Longer than a process waits for a silent database (2 s, `queue-metrics.ts`), which its metrics then tell. */
const METRICS_TIMEOUT_MS = 3_000;

/**
 * Starts a process that serves the socket, with the settings and the flags of the runtime of this process.
 * @param claims those of all processes of the address.
 */
export function startServingChild(socket: BoundSocket, task: ServingTask, claims: ClaimTable): ServingChild {
  const child = fork(PROGRAM, { stdio: stdioWith(socket) });
  const serving = Promise.withResolvers<string | null>();
  const ended = Promise.withResolvers<Ending>();
  let reason: string | null = null;
  let metrics: ProcessMetrics = [];
  let metricsWaiter = Promise.withResolvers<void>();
  let answerWaiter = Promise.withResolvers<void>();
  // A process that has just ended receives nothing.
  const send = (message: ToServingProcess) => void child.send(message, () => undefined);
  child.on('message', (message: ToSupervisor) => {
    if (message.kind === 'serving') serving.resolve(message.address);
    else if (message.kind === 'failed') reason = message.message;
    else if (message.kind === 'claim')
      send({ kind: 'claimed', id: message.id, before: claims.claim(message.name, message.at) });
    else if (message.kind === 'release') claims.release(message.name, message.at);
    else if (message.kind === 'alive') {
      answerWaiter.resolve();
      answerWaiter = Promise.withResolvers();
    } else {
      metrics = message.metrics;
      metricsWaiter.resolve();
      metricsWaiter = Promise.withResolvers();
    }
  });
  const end = (how: string) => {
    serving.resolve(null);
    metricsWaiter.resolve();
    ended.resolve({ how, reason, metrics });
  };
  // All of its messages have arrived by now.
  child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
  child.once('error', (error) => {
    if (child.pid === undefined) end(error.message);
  });
  send({ kind: 'serve', task });
  return {
    pid: child.pid,
    serving: serving.promise,
    ended: ended.promise,
    announceStop: () => send({ kind: 'stopping' }),
    stop: (drain) => send({ kind: 'stop', drain }),
    kill: () => void child.kill('SIGKILL'),
    answer() {
      send({ kind: 'ask' });
      return answerWaiter.promise;
    },
    async metrics() {
      if (!child.connected) return metrics;
      const answered = metricsWaiter.promise;
      send({ kind: 'metrics' });
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, METRICS_TIMEOUT_MS);
      await Promise.race([answered, timeout.promise]);
      clearTimeout(timer);
      return metrics;
    },
  };
}

/** Its log goes where ours goes. */
function stdioWith(socket: BoundSocket): ('ignore' | 'inherit' | 'ipc' | number)[] {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  if (stdio.length !== SOCKET_FD) throw new Error('the socket must follow the channel');
  return [...stdio, socket.fd()];
}
