/**
 * The fast path: simple reads are answered on the bare connection. The first request that is not simple takes its
 * connection over to the HTTP server for good, with every byte, so no byte is read by two parsers. See README.md.
 */
import type { Socket } from 'node:net';
import { FastConnection, type FastPathOptions } from './fast-connection.ts';
import { createRequestParser } from './request-parser.ts';

export class FastPath {
  readonly #options: FastPathOptions;
  readonly #parse = createRequestParser();
  readonly #connections = new Set<FastConnection>();
  #closing = false;

  constructor(options: FastPathOptions) {
    this.#options = options;
  }

  /** Takes a new connection. */
  accept(socket: Socket): void {
    if (this.#closing) return void socket.destroy();
    this.#connections.add(
      new FastConnection(socket, this.#options, this.#parse, (connection) => this.#connections.delete(connection)),
    );
  }

  /** Ends each connection as soon as it is idle. */
  startClosing(): void {
    this.#closing = true;
    for (const connection of this.#connections) connection.closeAfterResponse();
  }

  /** Ends the idle connections. */
  closeIdle(): void {
    for (const connection of this.#connections) connection.endIfIdle();
  }

  /** Cuts every connection. */
  destroy(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}
