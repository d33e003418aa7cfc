/** One connection on the fast path: the order of answers, the time-outs, and the hand-over to the HTTP server. */
import type { Socket } from 'node:net';
import type { TimeSlicer } from '../../../concurrency/time-slicer.ts';
import { CLIENT_GONE, type RequestSeries } from '../../../telemetry/request-counts.ts';
import type { Caller } from '../../request/caller.ts';
import type { ConnectionLimits } from '../connection/connection-limits.ts';
import type { ConnectionState } from '../connection/connection-sweeper.ts';
import { closeGracefully } from '../connection/graceful-close.ts';
import { refuseOnSocket } from '../connection/protocol-errors.ts';
import type { ParsedRequest } from './request-parser.ts';
import { CachedResponse, type RawResponse, writeResponse } from './response-writer.ts';

/** The answer to a simple read, and where it is counted. */
export type FastAnswer = { readonly series: RequestSeries; readonly response: AnyResponse | Promise<AnyResponse> };

type AnyResponse = CachedResponse | RawResponse;

export type FastPathOptions = {
  readonly limits: ConnectionLimits;
  /** Counts connections that are refused because nothing was sent. */
  readonly refusals: RequestSeries;
  /**
   * The answer to a simple read; `null` = not for the fast path; a promise = not known yet: ask again when it resolves.
   * Never throws or rejects.
   */
  readonly answer: (read: ParsedRequest, peer: Caller['peer']) => FastAnswer | null | Promise<void>;
  /** Receives a connection, from its next byte on. */
  readonly handOver: (socket: Socket) => void;
  /** Hands over connections with heavy chunks, one per turn of the event loop. */
  readonly timeSlicer: TimeSlicer;
};

/** A request that is being answered: when it was read, by `performance.now()`, and whether it is the last one. */
type ReceivedRequest = { readonly startedAt: number; readonly closeAfter: boolean };

/** A larger chunk holds several requests or a body; one read yields up to 64 KiB. */
const HEAVY_CHUNK_BYTES = 4_096;

/** Answers the simple reads of one connection in sequence, until it ends or is handed over. */
export class FastConnection {
  readonly #socket: Socket;
  readonly #options: FastPathOptions;
  readonly #parse: (text: string) => ParsedRequest | null;
  readonly #onDetached: () => void;
  #answered = false;
  /** A response is being made or waits for the client to read; further data wait in `#earlyData`. */
  #responsePending = false;
  /** What the client sent while a response was pending. */
  #earlyData: Buffer | null = null;
  /** The last request as sent and as parsed: most clients send the same bytes again. */
  #lastText = '';
  #lastRequest: ParsedRequest | null = null;
  /**
   * The last reusable response, none of which is for a key. The parser returns the same object for the same headers, so
   * `===` compares them.
   */
  #lastReusable: LastReusable = { ...NO_RESPONSE };
  #finishing = false;
  #closeWithNext = false;
  /** The HTTP server owns the connection. */
  #detached = false;

  constructor(
    socket: Socket,
    options: FastPathOptions,
    parse: (text: string) => ParsedRequest | null,
    onDetached: () => void,
  ) {
    this.#socket = socket;
    this.#options = options;
    this.#parse = parse;
    this.#onDetached = onDetached;
    socket.setTimeout(options.limits.headersMs);
    socket.on('data', this.#onData).on('timeout', this.#onTimeout).on('drain', this.#onDrain);
    socket.on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  /** Ends the connection with the next response that is written. */
  closeWithNextResponse(): void {
    this.#closeWithNext = true;
  }

  /** Ends the connection after the response under way. */
  closeAfterResponse(): void {
    this.#finishing = true;
    this.endIfIdle();
  }

  get state(): ConnectionState {
    if (this.#responsePending) return 'busy';
    return this.#answered ? 'idle' : 'silent';
  }

  endIfIdle(): void {
    if (!this.#responsePending && !this.#socket.writableEnded) this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    // Sent after the last request, or after we began to close: it gets no answer.
    if (this.#finishing) return;
    if (this.#responsePending) this.#bufferEarlyData(chunk);
    else this.#receive(chunk);
  };

  #receive(chunk: Buffer): void {
    const startedAt = performance.now();
    const request = this.#parsed(chunk.toString('latin1'));
    const answer = request === null ? null : this.#answerTo(request, startedAt);
    if (request === null || answer === null) this.#handOver(chunk);
    else if (answer instanceof Promise) this.#askAgain(chunk, answer);
    else this.#answer(answer, { startedAt, closeAfter: request.closeAfter || this.#closeWithNext });
  }

  #parsed(text: string): ParsedRequest | null {
    if (text !== this.#lastText) {
      this.#lastRequest = this.#parse(text);
      this.#lastText = this.#lastRequest === null ? '' : text;
    }
    return this.#lastRequest;
  }

  /** The previous answer if this is the same request and the answer still holds, else a new one. */
  #answerTo(request: ParsedRequest, now: number): ReturnType<FastPathOptions['answer']> {
    const { target, headers } = request;
    const previous = this.#lastReusable;
    if (previous.answer !== null && target === previous.target && headers === previous.headers) {
      previous.answer = reusedAnswer(previous.answer, now);
      if (previous.answer !== null) return previous.answer;
    }
    const answer = this.#options.answer(request, this.#socket);
    if (answer === null || answer instanceof Promise) return answer;
    const { response } = answer;
    if (response instanceof CachedResponse && response.reusable)
      this.#lastReusable = { target, headers, answer: { series: answer.series, response } };
    return answer;
  }

  /** Puts the request back, to be read again. Nothing more is read until then. */
  #askAgain(chunk: Buffer, when: Promise<void>): void {
    this.#pause();
    // Nobody is late but we.
    this.#socket.setTimeout(0).unshift(chunk);
    void when.then(() => {
      if (!this.#socket.destroyed && !this.#detached) this.#resume();
    });
  }

  /** Few clients send this early: pausing the socket before each answer would cost more than the answer. */
  #bufferEarlyData(chunk: Buffer): void {
    this.#earlyData = this.#earlyData === null ? chunk : Buffer.concat([this.#earlyData, chunk]);
    this.#socket.pause();
  }

  #answer({ series, response }: FastAnswer, { startedAt, closeAfter }: ReceivedRequest): void {
    if (!this.#answered) this.#extendIdleTimeout();
    if (response instanceof Promise) {
      this.#responsePending = true;
      response.then((settled) => {
        count(series, settled, startedAt, this.#socket.destroyed);
        this.#writeAsyncAnswer(settled, closeAfter);
      });
    } else {
      this.#write(response, closeAfter);
      count(series, response, startedAt, false);
    }
  }

  /** After the first answer the connection may idle for longer. */
  #extendIdleTimeout(): void {
    this.#answered = true;
    this.#socket.setTimeout(this.#options.limits.keepAliveMs);
  }

  #writeAsyncAnswer(response: CachedResponse | RawResponse, closeAfter: boolean): void {
    if (this.#socket.destroyed || !this.#write(response, closeAfter || this.#finishing || this.#closeWithNext)) return;
    this.#responsePending = false;
    if (this.#earlyData !== null) this.#resume();
  }

  /** `false` = no more may be written for now, or ever. */
  #write(response: CachedResponse | RawResponse, closeAfter: boolean): boolean {
    const { keepAliveMs } = this.#options.limits;
    const now = Date.now();
    const raw = response instanceof CachedResponse ? response.raw : response;
    const writable =
      response instanceof CachedResponse && !closeAfter
        ? this.#socket.write(response.render(now, keepAliveMs), 'latin1')
        : writeResponse(this.#socket, raw, now, keepAliveMs, closeAfter);
    if (closeAfter) {
      this.#finishing = true;
      // Most clients send nothing behind their last request, and need not be waited for.
      if (this.#earlyData === null) this.#socket.setTimeout(this.#options.limits.stallTimeoutMs).destroySoon();
      else closeGracefully(this.#socket, this.#options.limits);
      return false;
    }
    if (!writable) this.#pause();
    return writable;
  }

  #pause(): void {
    this.#responsePending = true;
    this.#socket.pause().setTimeout(this.#options.limits.stallTimeoutMs);
  }

  #resume(): void {
    this.#responsePending = false;
    const early = this.#earlyData;
    this.#earlyData = null;
    if (this.#finishing) closeGracefully(this.#socket, this.#options.limits);
    else this.#socket.setTimeout(this.#options.limits.keepAliveMs).resume();
    if (early !== null) this.#onData(early);
  }

  readonly #onDrain = (): void => {
    if (this.#responsePending) this.#resume();
  };

  readonly #onTimeout = (): void => {
    if (this.#answered) this.#socket.destroy();
    else this.#detach(() => this.#refuseSilent());
  };

  #refuseSilent(): void {
    const status = refuseOnSocket(REQUEST_TIMEOUT, this.#socket, undefined, this.#options.limits);
    if (status !== null) this.#options.refusals.count(status, 0);
  }

  /** The client has ended its side. */
  readonly #onEnd = (): void => {
    this.closeAfterResponse();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#onDetached();
  };

  #handOver(chunk: Buffer): void {
    if (chunk.length <= HEAVY_CHUNK_BYTES) this.#handOverNow(chunk);
    else this.#handOverInSlice(chunk);
  }

  #handOverInSlice(chunk: Buffer): void {
    this.#responsePending = true;
    // Back into the buffer at once: where the client has ended its side, an empty stream would end before its turn.
    this.#socket.pause().unshift(chunk);
    this.#options.timeSlicer.push(() => {
      if (this.#socket.destroyed || this.#detached) return;
      this.#handOverNow(null);
      this.#socket.resume();
    }, true);
  }

  /** @param chunk what was read, for the HTTP server to read again; `null` = it is in the socket's buffer already. */
  #handOverNow(chunk: Buffer | null): void {
    this.#detach(() => {
      this.#socket.setTimeout(0);
      if (chunk !== null) this.#socket.unshift(chunk);
      this.#options.handOver(this.#socket);
      this.#socket.off('error', this.#onError);
    });
  }

  #detach(next: () => void): void {
    const socket = this.#socket;
    this.#detached = true;
    socket.off('data', this.#onData).off('timeout', this.#onTimeout).off('drain', this.#onDrain);
    socket.off('end', this.#onEnd).off('close', this.#onClose);
    this.#onDetached();
    next();
  }
}

/** The answer for the same request at a moment; `null` = it does not hold any more. */
function reusedAnswer(answer: ReusableAnswer, now: number): ReusableAnswer | null {
  const response = answer.response.reusableAt(now);
  if (response === answer.response) return answer;
  return response === null ? null : { series: answer.series, response };
}

function count(series: RequestSeries, response: AnyResponse, startedAt: number, isGone: boolean): void {
  const { status, refusal } = response instanceof CachedResponse ? response.raw : response;
  series.count(isGone ? CLIENT_GONE : status, performance.now() - startedAt, refusal);
}

type LastReusable = { target: string; headers: ParsedRequest['headers']; answer: ReusableAnswer | null };
type ReusableAnswer = { readonly series: RequestSeries; readonly response: CachedResponse };

const NO_RESPONSE = { target: '', headers: {}, answer: null };
const REQUEST_TIMEOUT = Object.assign(new Error('nothing was sent'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
