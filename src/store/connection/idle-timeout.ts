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
const USUAL_SILENT_MS = 20_000;
/** In so many steps is looked whether anything came. */
const LOOKS = 4;
/** A server that is there has said goodbye by then. */
const GOODBYE_MS = 1_000;

const patience = new AsyncLocalStorage<number>();

/**
 * Runs `work`. A statement of it to which the server sends not one byte for `silentMs` rejects with
 * `DatabaseUnavailable`, and its connection is given up.
 */
export function patiently<T>(silentMs: number, work: () => Promise<T>): Promise<T> {
  return patience.run(silentMs, work);
}

/** What the server says of a statement stays as it is; all else is the connection's end, and said to be. */
export function lostConnection(error: Error): never {
  if (error instanceof pg.DatabaseError || error instanceof DatabaseUnavailable) throw error;
  throw new DatabaseUnavailable(`${LOST}: ${error.message}`, { cause: error });
}

const LOST = 'the connection to the database was lost';

/** The statements that are streams: COPY. */
function isStream(asked: unknown): asked is NodeJS.ReadableStream | NodeJS.WritableStream {
  return asked instanceof Stream;
}

/** A connection that waits for no statement, and no goodbye, for ever. Says `gave up` when it does. */
export class PatientClient extends pg.Client {
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
  giveUp(sentence: string): void {
    this.#lost = sentence;
    this.#socket.destroy(new DatabaseUnavailable(sentence));
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
    const answered = this.#watch(patience.getStore() ?? USUAL_SILENT_MS);
    const told = (...answer: unknown[]) => {
      answered();
      (last as (...answer: unknown[]) => void)(...answer);
    };
    const given = typeof last === 'function' ? [...args.slice(0, -1), told] : args;
    const asked: unknown = Reflect.apply(super.query, this, given);
    if (isStream(asked)) finished(asked, answered);
    if (!(asked instanceof Promise)) return asked as never;
    return asked.finally(answered).catch(lostConnection) as never;
  }

  override end(...args: never[]): never {
    const socket = this.#socket;
    const insist = setTimeout(() => socket.destroy(), GOODBYE_MS).unref();
    socket.once('close', () => clearTimeout(insist));
    return Reflect.apply(super.end, this, args) as never;
  }

  /** The types of pg pass over it. */
  get #socket(): Socket {
    return (this as unknown as { connection: { stream: Socket } }).connection.stream;
  }

  #watch(silentMs: number): () => void {
    // What a COPY sends counts as well: it goes on only for as long as the server takes it.
    const moved = () => this.#socket.bytesRead + this.#socket.bytesWritten;
    let heard = moved();
    let silent = 0;
    const timer = setInterval(() => {
      silent = moved() === heard ? silent + 1 : 0;
      heard = moved();
      if (silent < LOOKS) return;
      clearInterval(timer);
      this.giveUp(`the database said nothing for ${silentMs / 1000} s, and the connection was given up`);
    }, silentMs / LOOKS);
    return () => clearInterval(timer);
  }
}
