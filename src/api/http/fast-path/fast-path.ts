/**
 * The fast lane: simple reads are answered on the bare connection. The first request that is not simple takes its
 * connection over to the HTTP server for good, with every byte, so nothing is read in two ways.
 *
 * Measured by bench/http.ts: Node's request and response objects cost as much again as reading and writing the socket.
 */
import type { Socket } from 'node:net';
import type { Slices } from '../../../concurrency/time-slicer.ts';
import type { Caller } from '../../access/access.ts';
import { type SimpleRead, simpleReads } from '../../request/request-parser.ts';
import { KeptWire, type Wire, writeWire } from '../../response/response-writer.ts';
import type { Limits } from '../connection/connection-limits.ts';
import { refuseOnWire } from '../connection/protocol-errors.ts';

export type LaneParts = {
  readonly limits: Limits;
  /** The answer to a read; `null` = not one for the lane. Never throws or rejects. */
  readonly answer: (read: SimpleRead, peer: Caller['peer']) => KeptWire | Wire | Promise<KeptWire | Wire> | null;
  /** Takes a connection over, from its next byte on. */
  readonly handOver: (socket: Socket) => void;
  /** Where connections are handed over that have sent so much at once that it takes a while. */
  readonly slices: Slices;
};

/** More than one request, or its body: up to 64 KiB of them come with one read. */
const MUCH = 4_096;

export class Lane {
  readonly #parts: LaneParts;
  readonly #read = simpleReads();
  readonly #travellers = new Set<Traveller>();
  #closing = false;

  constructor(parts: LaneParts) {
    this.#parts = parts;
  }

  /** Takes a new connection. */
  enter(socket: Socket): void {
    if (this.#closing) return void socket.destroy();
    this.#travellers.add(
      new Traveller(socket, this.#parts, this.#read, (traveller) => this.#travellers.delete(traveller)),
    );
  }

  /** Ends every connection as soon as nothing is under way on it. */
  startClosing(): void {
    this.#closing = true;
    for (const traveller of this.#travellers) traveller.finish();
  }

  /** Ends the connections on which nothing is under way. */
  closeIdle(): void {
    for (const traveller of this.#travellers) traveller.endIfIdle();
  }

  /** Cuts every connection. */
  cut(): void {
    for (const traveller of this.#travellers) traveller.cut();
  }
}

/** One connection in the lane. */
class Traveller {
  readonly #socket: Socket;
  readonly #parts: LaneParts;
  readonly #read: (text: string) => SimpleRead | null;
  readonly #left: (traveller: Traveller) => void;
  #answered = false;
  /** An answer is being made, or waits for the client to read: what is sent meanwhile waits for its turn. */
  #busy = false;
  /** Sent before the answer to what was sent before it. */
  #early: Buffer | null = null;
  /** The last answer that may be given again. Headers sent alike are the same object, without comparing them. */
  #repeated: { target: string; headers: SimpleRead['headers']; wire: KeptWire | null } = { ...NOTHING };
  #finishing = false;
  /** Somebody else has the connection. */
  #gone = false;

  constructor(
    socket: Socket,
    parts: LaneParts,
    read: (text: string) => SimpleRead | null,
    left: (traveller: Traveller) => void,
  ) {
    this.#socket = socket;
    this.#parts = parts;
    this.#read = read;
    this.#left = left;
    socket.setTimeout(parts.limits.headersMs);
    socket.on('data', this.#onData).on('timeout', this.#onTimeout).on('drain', this.#onDrain);
    socket.on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  /** Ends the connection after what is under way. */
  finish(): void {
    this.#finishing = true;
    this.endIfIdle();
  }

  endIfIdle(): void {
    if (!this.#busy) this.#socket.destroySoon();
  }

  cut(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    // Said after the last request, or after we began to close: nobody will answer it.
    if (this.#finishing) return;
    if (this.#busy) this.#keepEarly(chunk);
    else this.#take(chunk);
  };

  #take(chunk: Buffer): void {
    const read = this.#read(chunk.toString('latin1'));
    const answer = read === null ? null : this.#answerTo(read);
    if (read === null || answer === null) this.#handOver(chunk);
    else this.#answer(answer, read.last);
  }

  /** The answer before, where this is the same request and has the same answer. */
  #answerTo(read: SimpleRead): ReturnType<LaneParts['answer']> {
    const { target, headers } = read;
    const before = this.#repeated;
    if (before.wire !== null && target === before.target && headers === before.headers) {
      before.wire = before.wire.again(performance.now());
      if (before.wire !== null) return before.wire;
    }
    const answer = this.#parts.answer(read, this.#socket);
    if (answer instanceof KeptWire && answer.repeated) this.#repeated = { target, headers, wire: answer };
    return answer;
  }

  /** Nearly nobody sends so soon: to stop reading before each answer would cost more than the answer. */
  #keepEarly(chunk: Buffer): void {
    this.#early = this.#early === null ? chunk : Buffer.concat([this.#early, chunk]);
    this.#socket.pause();
  }

  #answer(answer: KeptWire | Wire | Promise<KeptWire | Wire>, last: boolean): void {
    if (!this.#answered) this.#becomeKnown();
    if (answer instanceof Promise) {
      this.#busy = true;
      answer.then((wire) => this.#deliver(wire, last));
    } else if (answer instanceof KeptWire && !last) {
      if (!this.#socket.write(answer.at(Date.now(), this.#parts.limits.keepAliveMs), 'latin1')) this.#pause();
    } else {
      this.#write(answer, last);
    }
  }

  /** From the first answer on the connection may be idle for longer. */
  #becomeKnown(): void {
    this.#answered = true;
    this.#socket.setTimeout(this.#parts.limits.keepAliveMs);
  }

  #deliver(wire: KeptWire | Wire, last: boolean): void {
    if (this.#socket.destroyed || !this.#write(wire, last || this.#finishing)) return;
    this.#busy = false;
    if (this.#early !== null) this.#resume();
  }

  /** `false` = nothing more may be written for now, or ever. */
  #write(wire: KeptWire | Wire, last: boolean): boolean {
    const kept = writeWire(
      this.#socket,
      wire instanceof KeptWire ? wire.wire : wire,
      Date.now(),
      this.#parts.limits.keepAliveMs,
      last,
    );
    if (last) {
      this.#finishing = true;
      this.#socket.setTimeout(this.#parts.limits.stalledMs).destroySoon();
      return false;
    }
    if (!kept) this.#pause();
    return kept;
  }

  #pause(): void {
    this.#busy = true;
    this.#socket.pause().setTimeout(this.#parts.limits.stalledMs);
  }

  #resume(): void {
    this.#busy = false;
    const early = this.#early;
    this.#early = null;
    if (this.#finishing) this.#socket.destroySoon();
    else this.#socket.setTimeout(this.#parts.limits.keepAliveMs).resume();
    if (early !== null) this.#onData(early);
  }

  readonly #onDrain = (): void => {
    if (this.#busy) this.#resume();
  };

  readonly #onTimeout = (): void => {
    if (this.#answered) this.#socket.destroy();
    else this.#leave(() => refuseOnWire(SLOW, this.#socket, undefined, this.#parts.limits.targetBytes));
  };

  /** The client has said all it will say. */
  readonly #onEnd = (): void => {
    this.finish();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#left(this);
  };

  #handOver(chunk: Buffer): void {
    if (chunk.length <= MUCH) this.#handOverNow(chunk);
    else this.#handOverLater(chunk);
  }

  #handOverLater(chunk: Buffer): void {
    this.#busy = true;
    this.#socket.pause();
    this.#parts.slices.push(() => {
      if (this.#socket.destroyed || this.#gone) return;
      this.#handOverNow(this.#early === null ? chunk : Buffer.concat([chunk, this.#early]));
      this.#socket.resume();
    }, true);
  }

  #handOverNow(chunk: Buffer): void {
    this.#leave(() => {
      this.#socket.setTimeout(0).unshift(chunk);
      this.#parts.handOver(this.#socket);
      this.#socket.off('error', this.#onError);
    });
  }

  #leave(next: () => void): void {
    const socket = this.#socket;
    this.#gone = true;
    socket.off('data', this.#onData).off('timeout', this.#onTimeout).off('drain', this.#onDrain);
    socket.off('end', this.#onEnd).off('close', this.#onClose);
    this.#left(this);
    next();
  }
}

const NOTHING = { target: '', headers: {}, wire: null };
const SLOW = Object.assign(new Error('nothing was sent'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
