/**
 * The HTTP server itself: its limits, the fast path in front of it, and its shutdown. It may listen before everything
 * that answers is there.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TimeSlicer } from '../../concurrency/time-slicer.ts';
import type { RequestCounts, RequestSeries } from '../../telemetry/request-counts.ts';
import { ROUTE_GROUPS } from '../counting/endpoint-series.ts';
import type { Log } from '../response/log.ts';
import { createServer } from '../response/node-http.ts';
import {
  type ConnectionCounts,
  ConnectionLimiter,
  type ConnectionLimiterOptions,
} from './connection/connection-limiter.ts';
import { type ConnectionLimits, MAX_CHUNKS } from './connection/connection-limits.ts';
import type { ConnectionState } from './connection/connection-sweeper.ts';
import { closeGracefully } from './connection/graceful-close.ts';
import { listenError } from './connection/listen-error.ts';
import { refuseOnSocket } from './connection/protocol-errors.ts';
import { logRefusals } from './connection/refusal-log.ts';
import type { FastAnswer, FastPathOptions } from './fast-path/fast-connection.ts';
import { FastPath } from './fast-path/fast-path.ts';
import type { ParsedRequest } from './fast-path/request-parser.ts';
import { OutgoingResponse } from './outgoing-response.ts';
import { PipelineQueue } from './pipeline-queue.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Everything that answers requests. */
export type Answerers = {
  /** Answers the requests that the fast path hands over. */
  readonly route: Handler;
  /** The answers of the fast path. */
  readonly fastPathAnswer: FastPathOptions['answer'];
};

/** Where to listen: on an address, or on a socket that the process has inherited, which is bound to the host. */
export type ListenAddress = { readonly host: string } & ({ readonly port: number } | { readonly fd: number });

export type HttpServerOptions = Pick<ConnectionLimiterOptions, 'trustedProxies' | 'onRefused'> & {
  readonly limits: ConnectionLimits;
  /** Counts what is refused because it is no request. */
  readonly refusals: RequestSeries;
};

/** Creates a server that counts and logs what it refuses. */
export function createHttpServer({
  counts,
  log,
  ...options
}: Pick<HttpServerOptions, 'limits' | 'trustedProxies'> & {
  readonly counts: RequestCounts;
  readonly log: Log;
}): HttpServer {
  return new HttpServer({
    ...options,
    refusals: counts.series(ROUTE_GROUPS.notHttp, 'socket', { isTimed: false }),
    onRefused: logRefusals(log, options.limits),
  });
}

/** Of a server that closes before it was complete. */
const GOING_AWAY: Answerers = { route: ({ socket }) => void socket.destroy(), fastPathAnswer: () => null };

/** How often idle connections are dropped while stopping. */
const IDLE_SWEEP_MS = 50;

export class HttpServer {
  readonly server: Server;
  readonly #options: HttpServerOptions;
  readonly #fastPath: FastPath;
  readonly #timeSlicer = new TimeSlicer();
  readonly #pipelineQueue: PipelineQueue;
  readonly #connectionLimiter: ConnectionLimiter;
  /** The connections of the HTTP server, each with the response to its latest request. */
  readonly #latestResponses = new Map<Socket, ServerResponse | undefined>();
  #ending = false;
  /** Resolves when everything that answers is there. */
  readonly #complete = Promise.withResolvers<void>();
  #isComplete = false;
  #fastPathAnswer: FastPathOptions['answer'] = () => this.#complete.promise;
  #route: Handler = (request, response) => void this.#complete.promise.then(() => this.#routeInTurn(request, response));

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const { limits } = options;
    this.server = createServer(
      {
        requestTimeout: limits.requestMs,
        headersTimeout: limits.headersMs,
        connectionsCheckingInterval: limits.checkIntervalMs,
        keepAliveTimeout: limits.keepAliveMs,
        maxHeaderSize: limits.headerBytes,
        ServerResponse: OutgoingResponse,
        // The router refuses a missing Host, in the contract's format.
        requireHostHeader: false,
      },
      (request, response) => this.#receive(request, response),
    );
    this.server.timeout = limits.stallTimeoutMs;
    this.server.maxRequestsPerSocket = 0;
    // A client may end its side after its request and still wait for the answer. Node does not document this option.
    Object.assign(this.server, { httpAllowHalfOpen: true });
    this.#refuseNonRequests();
    this.#connectionLimiter = new ConnectionLimiter({ ...options, stateOf: (socket) => this.#stateOf(socket) });
    this.#fastPath = this.#installFastPath();
    this.#pipelineQueue = new PipelineQueue(limits.pipelinedRequests, this.#timeSlicer);
    this.server.maxConnections = limits.connections;
    this.server.on('drop', () => this.#connectionLimiter.onTotalReached());
  }

  /** Until `answerWith` is called, answers what this can answer; other requests wait. */
  answerEarly(answer: (read: ParsedRequest) => FastAnswer | null): void {
    this.#fastPathAnswer = (read) => answer(read) ?? this.#complete.promise;
  }

  /** Answers everything from now on, also the requests that wait. */
  answerWith({ route, fastPathAnswer }: Answerers): void {
    this.#route = route;
    this.#fastPathAnswer = fastPathAnswer;
    this.#isComplete = true;
    this.#complete.resolve();
  }

  /** Starts to accept connections; rejects with a readable message when it cannot listen on the address. */
  async listen({ host, ...at }: ListenAddress): Promise<{ host: string; port: number }> {
    try {
      // Of a name with several addresses, one: every client of `localhost` also tries 127.0.0.1.
      const { address } = await lookup(host, { order: 'ipv4first' });
      await once(this.server.listen({ host: address, ...at }), 'listening');
    } catch (error) {
      throw listenError({ host, port: 'port' in at ? at.port : 0 }, error);
    }
    const { address, port } = this.server.address() as AddressInfo;
    return { host: address, port };
  }

  get connectionCounts(): ConnectionCounts {
    return this.#connectionLimiter.counts;
  }

  /**
   * Stops accepting connections and ends each open one with its next answer. An idle one is closed when its keep-alive
   * time is over, as always: a client that sends a request before gets its answer. Resolves when all have ended, when
   * the server closes, or after `drainMs`.
   */
  drain(): Promise<void> {
    this.#endConnections();
    this.#fastPath.drain();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.limits.drainMs);
    // Not the `close` of an HTTP server, which ends idle connections at once.
    net.Server.prototype.close.call(this.server, () => resolve());
    return promise.finally(() => clearTimeout(timer));
  }

  /**
   * Stops accepting connections, announces the close to clients and drops each connection once it is idle; cuts those
   * that are left after `shutdownGraceMs`. Resolves when none is left.
   */
  async close(): Promise<void> {
    this.#endConnections();
    this.#connectionLimiter.stop();
    this.#fastPath.startClosing();
    // Ends the requests that still wait.
    if (!this.#isComplete) this.answerWith(GOING_AWAY);
    const idleSweep = setInterval(() => this.server.closeIdleConnections(), IDLE_SWEEP_MS);
    const cutTimer = setTimeout(() => this.#destroyConnections(), this.#options.limits.shutdownGraceMs);
    // Its only error is that it did not listen.
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    clearInterval(idleSweep);
    clearTimeout(cutTimer);
  }

  /** Each connection ends with its next answer. */
  #endConnections(): void {
    this.#ending = true;
    for (const response of this.#latestResponses.values())
      if (response !== undefined && !response.headersSent) response.shouldKeepAlive = false;
  }

  #destroyConnections(): void {
    this.#fastPath.destroy();
    this.server.closeAllConnections();
  }

  /** Refuses bytes that are not a request, after the answers to earlier requests on the connection. */
  #refuse(error: Error, socket: Duplex): void {
    const tcpSocket = socket as Socket;
    const { limits, refusals } = this.#options;
    const status = refuseOnSocket(error, tcpSocket, this.#latestResponses.get(tcpSocket), limits);
    if (status !== null) refusals.count(status, 0);
  }

  /** Connections start on the fast path; the server gets those that are handed over, as if they were new. */
  #installFastPath(): FastPath {
    const { server } = this;
    const [accept] = server.listeners('connection') as [(socket: Socket) => void];
    const fastPath = new FastPath({
      limits: this.#options.limits,
      refusals: this.#options.refusals,
      answer: (read, peer) => this.#fastPathAnswer(read, peer),
      timeSlicer: this.#timeSlicer,
      handOver: (socket) => {
        this.#latestResponses.set(socket, undefined);
        socket.once('close', () => this.#latestResponses.delete(socket));
        // Node calls it after the last response of a connection.
        socket.destroySoon = () => this.#closeGracefully(socket);
        accept.call(server, socket);
      },
    });
    // Node's own counts an answer as sent once it is written, although a slow client may not have read most of it.
    server.closeIdleConnections = () => this.#closeIdleConnections();
    server.off('connection', accept).on('connection', (socket) => {
      if (this.#connectionLimiter.admit(socket)) fastPath.accept(socket);
    });
    return fastPath;
  }

  #closeIdleConnections(): void {
    this.#fastPath.closeIdle();
    for (const [socket, latest] of this.#latestResponses)
      if (!socket.writableEnded && (latest === undefined || latest.writableFinished)) socket.destroy();
  }

  #closeGracefully(socket: Socket): void {
    this.#pipelineQueue.abandon(socket);
    closeGracefully(socket, this.#options.limits);
  }

  #stateOf(socket: Socket): ConnectionState {
    const latest = this.#latestResponses.get(socket);
    if (latest !== undefined) return latest.writableFinished ? 'idle' : 'busy';
    return this.#fastPath.stateOf(socket) ?? 'silent';
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    // The parser may yield further requests from the last bytes of a connection after its last answer.
    if (!this.#latestResponses.has(request.socket) || request.socket.writableEnded) return;
    this.#latestResponses.set(request.socket, response);
    if (this.#ending) response.shouldKeepAlive = false;
    // Node takes the bytes after it for another protocol's and drops them: the client must not wait for answers to
    // them.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    // Before Node's own listener, which would discard the rest uncounted.
    if (request.headers['transfer-encoding'] !== undefined)
      response.prependOnceListener('finish', () => limitUnreadBody(request));
    // Node assigns a response to its socket when it is the response's turn.
    if (response.socket !== null) this.#route(request, response);
    else this.#pipelineQueue.enqueue(request.socket, response, () => this.#route(request, response));
  }

  /** Of many requests that waited, a few in each turn of the event loop, and none whose client has gone. */
  #routeInTurn(request: IncomingMessage, response: ServerResponse): void {
    this.#timeSlicer.push(() => {
      if (!request.socket.destroyed) this.#route(request, response);
    });
  }

  /** CONNECT names no path, other bytes are no HTTP. An unknown expectation is ignored, like an unknown header. */
  #refuseNonRequests(): void {
    this.server.on('connect', (_, socket) => this.#refuse(new Error('CONNECT'), socket));
    this.server.on('clientError', (error, socket) => this.#refuse(error, socket));
    this.server.on('checkExpectation', (request, response) => this.#receive(request, response));
  }
}

/**
 * A body that nobody reads may come in chunks of one byte, and each costs as much as a large chunk: a few clients with
 * some MB of them would block all others for seconds.
 */
function limitUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  let chunks = 0;
  request.on('data', () => {
    chunks += 1;
    if (chunks > MAX_CHUNKS) request.socket.destroy();
  });
  request.read(0);
}
