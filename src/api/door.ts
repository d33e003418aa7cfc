/** The HTTP server itself: limits, what is answered in front of routing, and a way to stop. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Limits } from './limits.ts';
import { MESSAGES } from './messages.ts';
import { problem } from './problem.ts';
import { originForm } from './query.ts';
import { refuse } from './respond.ts';
import { refuseOnWire } from './wire-errors.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type DoorParts = {
  /** Answers from ready-made bytes; `false` = not one of those requests. */
  readonly answered: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Everything else. */
  readonly route: Handler;
  readonly limits: Limits;
};

/** How soon a connection is dropped after its last answer, while stopping. */
const SWEEP_MS = 50;

export class Door {
  readonly server: Server;
  readonly #parts: DoorParts;
  #closing = false;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    const { limits } = parts;
    this.server = http.createServer(
      {
        requestTimeout: limits.requestMs,
        headersTimeout: limits.headersMs,
        connectionsCheckingInterval: limits.checkEveryMs,
        keepAliveTimeout: limits.keepAliveMs,
        maxHeaderSize: limits.headerBytes,
        // We refuse a missing Host ourselves, in the envelope.
        requireHostHeader: false,
      },
      (request, response) => this.#enter(request, response),
    );
    this.server.timeout = limits.stalledMs;
    this.server.maxRequestsPerSocket = 0;
    this.#refuseOddities();
  }

  /** Tells clients to go, and drops each connection as soon as nothing is under way on it. `server.close` is the router's. */
  startClosing(): void {
    this.#closing = true;
    const sweep = setInterval(() => this.server.closeIdleConnections(), SWEEP_MS);
    this.server.once('close', () => clearInterval(sweep));
  }

  #enter(request: IncomingMessage, response: ServerResponse): void {
    if (this.#closing) response.setHeader('Connection', 'close');
    if (request.httpVersionMajor !== 1) {
      refuse(request, response, problem(400, MESSAGES.requestBroken));
      return;
    }
    if (this.#parts.answered(request, response)) return;
    const target = request.url as string;
    if (target.length > this.#parts.limits.targetBytes) {
      refuse(request, response, problem(414, MESSAGES.urlTooLong));
    } else if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(request, response, problem(400, MESSAGES.hostMissing));
    } else {
      request.url = originForm(target);
      this.#parts.route(request, response);
    }
  }

  /** What is no request; CONNECT, which names no path. An expectation that we do not know is passed over, as an unknown header is. */
  #refuseOddities(): void {
    const { targetBytes } = this.#parts.limits;
    this.server.on('clientError', (error, socket) => refuseOnWire(error, socket, targetBytes));
    this.server.on('connect', (_, socket) => refuseOnWire(new Error('CONNECT'), socket, targetBytes));
    this.server.on('checkExpectation', (request, response) => this.#enter(request, response));
  }
}
