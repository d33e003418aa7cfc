/**
 * How long is waited for a server that says nothing. A connection whose packets are dropped looks alive for a quarter
 * of an hour; here it is given up: its statement fails, and the pool makes another one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { finished, Stream } from 'node:stream';
import pg from 'pg';
import { DatabaseUnavailable } from '../database-errors.ts';

/** Longer than the server lets a usual statement run (`statement_timeout`). */
const DEFAULT_IDLE_TIMEOUT_MS = 20_000;
/** In so many steps is looked whether anything came. */
const CHECKS_PER_TIMEOUT = 4;
/** A server that is there has said goodbye by then. */
const CLOSE_TIMEOUT_MS = 1_000;

const idleTimeoutMs = new AsyncLocalStorage<number>();

/**
 * Runs `work`. A statement of it to which the server sends not one byte for `timeoutMs` rejects with
 * `DatabaseUnavailable`, and its connection is given up.
 */
export function withIdleTimeout<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  return idleTimeoutMs.run(timeoutMs, work);
}

/** What the server says of a statement stays as it is; all else is the connection's end, and said to be. */
export function throwConnectionLost(error: Error): never {
  if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailable) throw error;
  throw new DatabaseUnavailable(`${LOST}: ${error.message}`, { cause: error });
}

const LOST = 'the connection to the database was lost';

/** The statements that are streams: COPY. */
function isStream(asked: unknown): asked is NodeJS.ReadableStream | NodeJS.WritableStream {
  return asked instanceof Stream;
}

/** A connection that waits for no statement, and no goodbye, for ever. Says `gave up` when it does. */
export class TimeoutClient extends pg.Client {
  /** Why there is no connection any more. */
  #lost: string | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // Cut off between two statements of a transaction it belongs to nobody who listens, and Node.js would end the
    // process; the next statement says what happened.
    this.on('error', ({ message }) => {
      this.#lost ??= `${LOST}: ${message}`;
    });
  }

  /** Cuts the connection; what is asked on it rejects with this sentence. */
  giveUp(reason: string): void {
    this.#lost = reason;
    this.#socket.destroy(new DatabaseUnavailable(reason));
    this.emit('gave up');
  }

  /** Cuts a connection on which nothing is asked, without a goodbye that nobody would hear. */
  cut(): void {
    this.#socket.destroy();
  }

  override query(...args: never[]): never {
    const last: unknown = args.at(-1);
    if (this.#lost !== undefined && typeof last !== 'function') {
      const lost = new DatabaseUnavailable(this.#lost);
      if (isStream(last)) throw lost;
      return Promise.reject(lost) as never;
    }
    const stopWatching = this.#watchIdle(idleTimeoutMs.getStore() ?? DEFAULT_IDLE_TIMEOUT_MS);
    const callback = (...answer: unknown[]) => {
      stopWatching();
      (last as (...answer: unknown[]) => void)(...answer);
    };
    const queryArgs = typeof last === 'function' ? [...args.slice(0, -1), callback] : args;
    const result: unknown = Reflect.apply(super.query, this, queryArgs);
    if (isStream(result)) finished(result, stopWatching);
    if (!(result instanceof Promise)) return result as never;
    return result.finally(stopWatching).catch(throwConnectionLost) as never;
  }

  override end(...args: never[]): never {
    const socket = this.#socket;
    const forceClose = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    socket.once('close', () => clearTimeout(forceClose));
    return Reflect.apply(super.end, this, args) as never;
  }

  /** The types of pg pass over it. */
  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  #watchIdle(timeoutMs: number): () => void {
    // What a COPY sends counts as well: it goes on only for as long as the server takes it.
    const bytesMoved = () => this.#socket.bytesRead + this.#socket.bytesWritten;
    let lastBytesMoved = bytesMoved();
    let idleChecks = 0;
    const timer = setInterval(() => {
      idleChecks = bytesMoved() === lastBytesMoved ? idleChecks + 1 : 0;
      lastBytesMoved = bytesMoved();
      if (idleChecks < CHECKS_PER_TIMEOUT) return;
      clearInterval(timer);
      this.giveUp(`the database said nothing for ${timeoutMs / 1000} s, and the connection was given up`);
    }, timeoutMs / CHECKS_PER_TIMEOUT);
    return () => clearInterval(timer);
  }
}
