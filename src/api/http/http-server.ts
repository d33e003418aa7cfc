/** The HTTP server itself: its limits, the fast path in front of it, and a way to stop. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TimeSlicer } from '../../concurrency/time-slicer.ts';
import type { ConnectionLimits } from './connection/connection-limits.ts';
import { refuseOnSocket } from './connection/protocol-errors.ts';
import type { FastPathOptions } from './fast-path/fast-connection.ts';
import { FastPath } from './fast-path/fast-path.ts';
import { OutgoingResponse } from './outgoing-response.ts';
import { PipelineQueue } from './pipeline-queue.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export type HttpServerOptions = {
  /** Answers what the fast path does not. */
  readonly route: Handler;
  /** The answers of the fast path. */
  readonly fastPathAnswer: FastPathOptions['answer'];
  readonly limits: ConnectionLimits;
};

/** Pieces of a body that may come after the answer to it. */
const MAX_UNREAD_CHUNKS = 256;

/** How soon a connection is dropped after its last answer, while stopping. */
const IDLE_SWEEP_MS = 50;

export class HttpServer {
  readonly server: Server;
  readonly #options: HttpServerOptions;
  readonly #fastPath: FastPath;
  readonly #timeSlicer = new TimeSlicer();
  readonly #pipelineQueue: PipelineQueue;
  /** The connections that the HTTP server has, with the answer to the latest request on each. */
  readonly #latestResponses = new Map<Socket, ServerResponse | undefined>();

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits } = options;
    this.server = http.createServer(
      {
        requestTimeout: limits.requestMs,
        headersTimeout: limits.headersMs,
        connectionsCheckingInterval: limits.checkIntervalMs,
        keepAliveTimeout: limits.keepAliveMs,
        maxHeaderSize: limits.headerBytes,
        ServerResponse: OutgoingResponse,
        // The router refuses a missing Host, in the envelope.
        requireHostHeader: false,
      },
      (request, response) => this.#receive(request, response),
    );
    this.server.timeout = limits.stallTimeoutMs;
    this.server.maxRequestsPerSocket = 0;
    // A client may end its side after its request and still waits for the answer. Node has no documented name for this.
    Object.assign(this.server, { httpAllowHalfOpen: true });
    this.#refuseNonRequests();
    this.#fastPath = this.#installFastPath();
    this.#pipelineQueue = new PipelineQueue(limits.pipelinedRequests, this.#timeSlicer);
    this.#limitConnections();
  }

  /** Refuses what is no request, behind the answers to the requests before it on its connection. */
  refuse(error: Error, socket: Duplex): void {
    refuseOnSocket(error, socket, this.#latestResponses.get(socket as Socket), this.#options.limits.targetBytes);
  }

  /** Tells clients to go, and drops each connection as soon as nothing is under way on it. `server.close` is the router's. */
  startClosing(): void {
    this.#fastPath.startClosing();
    const idleSweep = setInterval(() => this.server.closeIdleConnections(), IDLE_SWEEP_MS);
    this.server.once('close', () => clearInterval(idleSweep));
  }

  /** Cuts whatever is still under way. */
  destroyConnections(): void {
    this.#fastPath.destroy();
    this.server.closeAllConnections();
  }

  /** Connections take the fast path first; the server gets those that are handed over, as if they were new. */
  #installFastPath(): FastPath {
    const { server } = this;
    const [accept] = server.listeners('connection') as [(socket: Socket) => void];
    const fastPath = new FastPath({
      limits: this.#options.limits,
      answer: this.#options.fastPathAnswer,
      timeSlicer: this.#timeSlicer,
      handOver: (socket) => {
        this.#latestResponses.set(socket, undefined);
        socket.once('close', () => this.#latestResponses.delete(socket));
        accept.call(server, socket);
      },
    });
    // Node's own takes an answer for sent when it is handed over, though a slow client has most of it still to come.
    server.closeIdleConnections = () => this.#closeIdleConnections();
    server.off('connection', accept).on('connection', (socket) => fastPath.accept(socket));
    return fastPath;
  }

  #closeIdleConnections(): void {
    this.#fastPath.closeIdle();
    for (const [socket, latest] of this.#latestResponses)
      if (latest === undefined || latest.writableFinished) socket.destroy();
  }

  /** Where there are too many connections, those on which nothing is under way make room. */
  #limitConnections(): void {
    const { connections, checkIntervalMs } = this.#options.limits;
    let lastSweepAt = Number.NEGATIVE_INFINITY;
    this.server.maxConnections = connections;
    this.server.on('drop', () => {
      // Whoever floods must not make us look through all of them each time.
      if (performance.now() - lastSweepAt < checkIntervalMs) return;
      lastSweepAt = performance.now();
      this.#closeIdleConnections();
    });
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    // Of what was read with the last bytes of a connection, more may come out of the parser when it is gone.
    if (!this.#latestResponses.has(request.socket)) return;
    this.#latestResponses.set(request.socket, response);
    // Before Node's own listener, which would throw the rest away unseen.
    if (request.headers['transfer-encoding'] !== undefined)
      response.prependOnceListener('finish', () => limitUnreadBody(request));
    // Node connects a response with its socket when its turn to be written has come.
    if (response.socket !== null) this.#options.route(request, response);
    else this.#pipelineQueue.enqueue(request.socket, response, () => this.#options.route(request, response));
  }

  /** CONNECT names no path. An expectation that we do not know is passed over, as an unknown header is. */
  #refuseNonRequests(): void {
    this.server.on('connect', (_, socket) => this.refuse(new Error('CONNECT'), socket));
    this.server.on('checkExpectation', (request, response) => this.#receive(request, response));
  }
}

/**
 * A body that nobody reads may come in pieces of a byte, each of which costs as much as a large one: a few clients with
 * some MB of them would hold up all others for seconds.
 */
function limitUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  let chunks = 0;
  request.on('data', () => {
    chunks += 1;
    if (chunks > MAX_UNREAD_CHUNKS) request.socket.destroy();
  });
  request.read(0);
}
