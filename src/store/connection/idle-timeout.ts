/**
 * Drops connections to servers that send nothing, and to servers that store nothing any more. A connection whose
 * packets are lost looks alive for a quarter of an hour; this client drops it earlier: its statement fails, and the
 * pool opens another one. So it does when a statement that writes is refused: the server became a standby, and behind
 * an address that follows the primary server the next connection leads to the new one.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { finished, Stream } from 'node:stream';
import pg from 'pg';
import { codeOf, DatabaseUnavailable } from '../database-errors.ts';

/** Longer than the server lets an ordinary statement run (`statement_timeout`). */
const DEFAULT_IDLE_TIMEOUT_MS = 20_000;
/** How often the client checks for traffic within one timeout. */
const CHECKS_PER_TIMEOUT = 4;
/** A reachable server has closed the connection by then. */
const CLOSE_TIMEOUT_MS = 1_000;

const idleTimeoutMs = new AsyncLocalStorage<number>();

/**
 * Runs `work`. If the server sends nothing for `timeoutMs` during one of its statements, that statement rejects with
 * `DatabaseUnavailable`, and its connection is dropped.
 */
export function withIdleTimeout<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
  return idleTimeoutMs.run(timeoutMs, work);
}

/** Rethrows the server's own errors; reports all others as a lost connection. */
export function throwConnectionLost(error: Error): never {
  if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailable) throw error;
  throw new DatabaseUnavailable(`${LOST}: ${error.message}`, { cause: error });
}

/** SQLSTATE of a statement that would write, on a standby and wherever transactions are read-only. */
const READ_ONLY_TRANSACTION = '25006';
const READ_ONLY = 'the database is read-only, and the connection to it was dropped';
const LOST = 'the connection to the database was lost';

/** Whether a statement or result is a stream: COPY. */
function isStream(value: unknown): value is NodeJS.ReadableStream | NodeJS.WritableStream {
  return value instanceof Stream;
}

/** A prepared statement belongs to a session: through a pooler the next transaction would not find it. */
function withoutName(statement: unknown): unknown {
  const isPlain = typeof statement === 'object' && statement !== null && Object.hasOwn(statement, 'text');
  if (!isPlain || isStream(statement) || 'submit' in statement) return statement;
  return { ...statement, name: undefined };
}

/**
 * A connection with a timeout for every statement, and for closing. Emits `dropped` when it times out, or when its
 * server refuses to write.
 */
export class TimeoutClient extends pg.Client {
  /** Whether a pooler is between: its transactions, and single statements, may each run in another session. */
  isPooled = false;
  /** Why there is no connection any more. */
  #lost: string | undefined;

  constructor(config?: pg.ClientConfig) {
    super(config);
    // Between two statements of a transaction nothing else listens for errors, and Node.js would end the process; the
    // next statement rejects with the reason.
    this.on('error', ({ message }) => {
      this.#lost ??= `${LOST}: ${message}`;
    });
  }

  /** The id of its process as the server told it; a pooler makes one up. */
  get toldProcess(): number | null {
    return (this as unknown as { processID: number | null }).processID;
  }

  /** Drops the connection; its statements reject with this reason. */
  drop(reason: string): void {
    this.#lost = reason;
    this.#socket.destroy(new DatabaseUnavailable(reason));
    this.emit('dropped');
  }

  /** Destroys the socket of an unused connection without the closing message, which the server would not receive. */
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
    const stopTimeout = this.#watchIdle(idleTimeoutMs.getStore() ?? DEFAULT_IDLE_TIMEOUT_MS);
    const callback = (...answer: unknown[]) => {
      stopTimeout();
      if (codeOf(answer[0]) === READ_ONLY_TRANSACTION) this.drop(READ_ONLY);
      (last as (...answer: unknown[]) => void)(...answer);
    };
    const [statement, ...others] = typeof last === 'function' ? [...args.slice(0, -1), callback] : args;
    const queryArgs = [this.isPooled ? withoutName(statement) : statement, ...others];
    const result: unknown = Reflect.apply(super.query, this, queryArgs);
    if (isStream(result)) finished(result, stopTimeout);
    if (!(result instanceof Promise)) return result as never;
    return result.finally(stopTimeout).catch((error) => this.#fail(error)) as never;
  }

  override end(...args: never[]): never {
    const socket = this.#socket;
    const forceClose = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    socket.once('close', () => clearTimeout(forceClose));
    return Reflect.apply(super.end, this, args) as never;
  }

  /** Drops the connection to a server that refuses to write; rethrows other errors as `throwConnectionLost` does. */
  async #fail(error: Error): Promise<never> {
    if (codeOf(error) !== READ_ONLY_TRANSACTION) throwConnectionLost(error);
    const socket = this.#socket;
    // Only then does the pool see that nobody can use it.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (!socket.destroyed) {
      this.drop(READ_ONLY);
      await closed;
    }
    throw new DatabaseUnavailable(READ_ONLY, { cause: error });
  }

  /** The socket, which the types of pg omit. */
  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  #watchIdle(timeoutMs: number): () => void {
    // Sent bytes of a COPY count as well: they flow only as long as the server receives them.
    const bytesMoved = () => this.#socket.bytesRead + this.#socket.bytesWritten;
    let lastBytesMoved = bytesMoved();
    let idleChecks = 0;
    const timer = setInterval(() => {
      idleChecks = bytesMoved() === lastBytesMoved ? idleChecks + 1 : 0;
      lastBytesMoved = bytesMoved();
      if (idleChecks < CHECKS_PER_TIMEOUT) return;
      clearInterval(timer);
      this.drop(`the database sent nothing for ${timeoutMs / 1000} s, and the connection was dropped`);
    }, timeoutMs / CHECKS_PER_TIMEOUT);
    return () => clearInterval(timer);
  }
}
