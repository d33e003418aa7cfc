/** The HTTP server itself: limits, what is answered in front of routing, and a way to stop. */

import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Slices } from '../../concurrency/time-slicer.ts';
import { MESSAGES } from '../contract/messages.ts';
import { originForm } from '../request/request-target.ts';
import { problem } from '../response/problem.ts';
import { refuse } from '../response/responder.ts';
import type { Limits } from './connection/connection-limits.ts';
import { refuseOnWire } from './connection/protocol-errors.ts';
import { Lane, type LaneParts } from './fast-path/fast-path.ts';
import { Turns } from './pipeline-queue.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type DoorParts = {
  /** Answers from ready-made bytes; `false` = not one of those requests. */
  readonly answered: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Everything else. */
  readonly route: Handler;
  /** The answers of the fast lane. */
  readonly lane: LaneParts['answer'];
  readonly limits: Limits;
};

/** Pieces of a body that may come after the answer to it. */
const MOST_PIECES = 256;

/** How soon a connection is dropped after its last answer, while stopping. */
const SWEEP_MS = 50;

export class Door {
  readonly server: Server;
  readonly #parts: DoorParts;
  readonly #lane: Lane;
  readonly #slices = new Slices();
  readonly #turns: Turns;
  /** The connections that the HTTP server has, with the answer to the latest request on each. */
  readonly #latest = new Map<Socket, ServerResponse | undefined>();
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
      (request, response) => this.#receive(request, response),
    );
    this.server.timeout = limits.stalledMs;
    this.server.maxRequestsPerSocket = 0;
    // A client may end its side after its request and still waits for the answer. Node has no documented name for this.
    Object.assign(this.server, { httpAllowHalfOpen: true });
    this.#refuseOddities();
    this.#lane = this.#openLane();
    this.#turns = new Turns(limits.waitingRequests, this.#slices);
    this.#boundConnections();
  }

  /** Tells clients to go, and drops each connection as soon as nothing is under way on it. `server.close` is the router's. */
  startClosing(): void {
    this.#closing = true;
    this.#lane.startClosing();
    const sweep = setInterval(() => this.server.closeIdleConnections(), SWEEP_MS);
    this.server.once('close', () => clearInterval(sweep));
  }

  /** Cuts whatever is still under way. */
  cut(): void {
    this.#lane.cut();
    this.server.closeAllConnections();
  }

  /** Connections go through the lane first; the server gets those that it is handed, as if they were new. */
  #openLane(): Lane {
    const { server } = this;
    const [accept] = server.listeners('connection') as [(socket: Socket) => void];
    const lane = new Lane({
      limits: this.#parts.limits,
      answer: this.#parts.lane,
      slices: this.#slices,
      handOver: (socket) => {
        this.#latest.set(socket, undefined);
        socket.once('close', () => this.#latest.delete(socket));
        accept.call(server, socket);
      },
    });
    // Node's own takes an answer for sent when it is handed over, though a slow client has most of it still to come.
    server.closeIdleConnections = () => this.#closeIdle();
    server.off('connection', accept).on('connection', (socket) => lane.enter(socket));
    return lane;
  }

  #closeIdle(): void {
    this.#lane.closeIdle();
    for (const [socket, latest] of this.#latest) if (latest === undefined || latest.writableFinished) socket.destroy();
  }

  /** Where there are too many connections, those on which nothing is under way make room. */
  #boundConnections(): void {
    const { connections, checkEveryMs } = this.#parts.limits;
    let lookedAt = Number.NEGATIVE_INFINITY;
    this.server.maxConnections = connections;
    this.server.on('drop', () => {
      // Whoever floods must not make us look through all of them each time.
      if (performance.now() - lookedAt < checkEveryMs) return;
      lookedAt = performance.now();
      this.#closeIdle();
    });
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    // Of what was read with the last bytes of a connection, more may come out of the parser when it is gone.
    if (!this.#latest.has(request.socket)) return;
    this.#latest.set(request.socket, response);
    // Before Node's own listener, which would throw the rest away unseen.
    if (request.headers['transfer-encoding'] !== undefined)
      response.prependOnceListener('finish', () => boundRest(request));
    // Node connects a response with its socket when its turn to be written has come.
    if (response.socket !== null) this.#enter(request, response);
    else this.#turns.wait(request.socket, response, () => this.#enter(request, response));
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
    const refuse = (error: Error, socket: Duplex) =>
      refuseOnWire(error, socket, this.#latest.get(socket as Socket), targetBytes);
    this.server.on('clientError', refuse);
    this.server.on('connect', (_, socket) => refuse(new Error('CONNECT'), socket));
    this.server.on('checkExpectation', (request, response) => this.#receive(request, response));
  }
}

/**
 * A body that nobody reads may come in pieces of a byte, each of which costs as much as a large one: a few clients with
 * some MB of them would hold up all others for seconds.
 */
function boundRest(request: IncomingMessage): void {
  if (request.complete) return;
  let pieces = 0;
  request.on('data', () => {
    pieces += 1;
    if (pieces > MOST_PIECES) request.socket.destroy();
  });
  request.read(0);
}
