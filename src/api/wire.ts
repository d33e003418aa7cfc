/** Answers as the bytes of HTTP/1.1, written without the server's own response object: that one costs more than all the rest. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, API_HEADERS, type HeaderList, headersOf, wirable } from './answer.ts';
import type { Body, Bytes } from './body.ts';
import { type Encoding, negotiate } from './negotiation.ts';

/** One answer up to what depends on the moment and the connection. */
export type Wire = {
  /** The status line and the headers, each with its line end, without `Date` and `Connection`. */
  readonly head: string;
  readonly bytes: Bytes;
};

/** The answer as a client with that `Accept-Encoding` gets it; a promise where the body has to be coded elsewhere. */
export function wireOf(answer: Answer, accepted: string | undefined): Wire | KeptWire | Promise<Wire | KeptWire> {
  const { status, headers, body, extra, sameMs } = answer;
  if (body === null) return { head: headOf(status, [...headers, 'Content-Length', '0']), bytes: '' };
  const encoding = body.choose(negotiate(accepted));
  // Headers that are not everybody's (what is left of a quota) make an answer of one client only.
  const shared = body.shared && headers === API_HEADERS && status === 200 && extra === undefined;
  const wire = (bytes: Bytes) => {
    if (sameMs !== undefined)
      return new KeptWire(status, [...headers, ...(extra ?? [])], encoding, wirable(bytes), performance.now() + sameMs);
    return shared && bytes.length <= LARGEST_KEPT ? keptWire(body, encoding, bytes) : wireOnce(answer, encoding, bytes);
  };
  const coded = body.in(encoding);
  return coded instanceof Promise ? coded.then(wire) : wire(coded);
}

function wireOnce({ status, headers, extra = [] }: Answer, encoding: Encoding, bytes: Bytes): Wire {
  const coding = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`;
  const head = `${commonHead(status, headers)}${lines(extra)}Content-Length: ${bytes.length}\r\n${coding}`;
  return { head, bytes: wirable(bytes) };
}

/** Larger bodies are not held a second time, together with their head. */
const LARGEST_KEPT = 64 * 1024;
/** The wires of bodies that many requests share, with the headers of every answer of the API. */
const keptWires = new WeakMap<Body, Map<Encoding, KeptWire>>();

function keptWire(body: Body, encoding: Encoding, bytes: Bytes): KeptWire {
  const known = keptWires.get(body)?.get(encoding);
  if (known !== undefined) return known;
  const wire = new KeptWire(200, API_HEADERS, encoding, wirable(bytes));
  keptWires.set(body, new Map(keptWires.get(body)).set(encoding, wire));
  return wire;
}

/** A kept answer: its text is put together once a second and then only sent. */
export class KeptWire {
  /** Until then, by `performance.now()`, the client that was given it may be given it again for the same request. */
  readonly until: number;
  readonly #wire: Wire;
  #second = -1;
  #text: string | Buffer = '';

  constructor(status: number, headers: HeaderList, encoding: Encoding, bytes: Bytes, until = Number.NEGATIVE_INFINITY) {
    this.until = until;
    this.#wire = { head: headOf(status, headersOf(headers, encoding, bytes.length)), bytes };
  }

  /** Everything, for a connection that stays open. */
  at(now: number, keptMs: number): string | Buffer {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return this.#text;
    const { head, bytes } = this.#wire;
    const top = head + momentOf(now, keptMs, false);
    this.#text = typeof bytes === 'string' ? top + bytes : Buffer.concat([Buffer.from(top, 'latin1'), bytes]);
    this.#second = second;
    return this.#text;
  }

  get wire(): Wire {
    return this.#wire;
  }
}

/** Writes an answer; `false` = the client does not keep up with reading. */
export function writeWire(socket: Socket, { head, bytes }: Wire, now: number, keptMs: number, last: boolean): boolean {
  const top = head + momentOf(now, keptMs, last);
  if (typeof bytes === 'string') return socket.write(top + bytes, 'latin1');
  socket.cork();
  socket.write(top, 'latin1');
  const kept = socket.write(bytes);
  socket.uncork();
  return kept;
}

let dateSecond = -1;
let date = '';

/** The last lines of the head. */
function momentOf(now: number, keptMs: number, last: boolean): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = `Date: ${new Date(now).toUTCString()}\r\n`;
  }
  return last
    ? `${date}Connection: close\r\n\r\n`
    : `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keptMs / 1000)}\r\n\r\n`;
}

/** Most answers share one of a few header lists: each is put into words once for each status. */
const heads = new WeakMap<HeaderList, Map<number, string>>();

function commonHead(status: number, headers: HeaderList): string {
  const known = heads.get(headers) ?? new Map<number, string>();
  const head = known.get(status) ?? headOf(status, headers);
  heads.set(headers, known.set(status, head));
  return head;
}

function headOf(status: number, headers: HeaderList): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines(headers)}`;
}

function lines(headers: HeaderList): string {
  let text = '';
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}
