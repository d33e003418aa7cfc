/**
 * The fast path: simple reads are answered on the bare connection. The first request that is not simple takes its
 * connection over to the HTTP server for good, with every byte, so no byte is read by two parsers. See README.md.
 */
import type { Socket } from 'node:net';
import type { ConnectionState } from '../connection/connection-sweeper.ts';
import { FastConnection, type FastPathOptions } from './fast-connection.ts';
import { createRequestParser } from './request-parser.ts';

export class FastPath {
  readonly #options: FastPathOptions;
  readonly #parse = createRequestParser();
  readonly #connections = new Map<Socket, FastConnection>();
  #closing = false;

  constructor(options: FastPathOptions) {
    this.#options = options;
  }

  /** Takes a new connection. */
  accept(socket: Socket): void {
    if (this.#closing) return void socket.destroy();
    this.#connections.set(
      socket,
      new FastConnection(socket, this.#options, this.#parse, () => this.#connections.delete(socket)),
    );
  }

  /** The state of a connection; `undefined` = it is not on the fast path. */
  stateOf(socket: Socket): ConnectionState | undefined {
    return this.#connections.get(socket)?.state;
  }

  /** Ends each connection with its next answer. */
  drain(): void {
    for (const connection of this.#connections.values()) connection.closeWithNextResponse();
  }

  /** Ends each connection as soon as it is idle. */
  startClosing(): void {
    this.#closing = true;
    for (const connection of this.#connections.values()) connection.closeAfterResponse();
  }

  /** Ends the idle connections. */
  closeIdle(): void {
    for (const connection of this.#connections.values()) connection.endIfIdle();
  }

  /** Cuts every connection. */
  destroy(): void {
    for (const connection of this.#connections.values()) connection.destroy();
  }
}
