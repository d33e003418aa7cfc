/** Answers as the bytes of HTTP/1.1, written without the server's own response object: that one costs more than all the rest. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Body, Bytes } from '../encoding/body.ts';
import { type Encoding, negotiate } from '../encoding/negotiation.ts';
import { type Answer, API_HEADERS, type HeaderList, headersOf, type Same, SMALL, wirable } from './answer.ts';

/** One answer up to what depends on the moment and the connection. */
export type Wire = {
  /** The status line and the headers, each with its line end, without `Date` and `Connection`. */
  readonly head: string;
  readonly bytes: Bytes;
  /** Whether other answers have these very bytes, too. */
  readonly shared?: boolean;
};

/** The answer as a client with that `Accept-Encoding` gets it; a promise where the body has to be coded elsewhere. */
export function wireOf(answer: Answer, accepted: string | undefined): Wire | KeptWire | Promise<Wire | KeptWire> {
  const { status, headers, body, extra, same } = answer;
  if (body === null) return { head: headOf(status, [...headers, 'Content-Length', '0']), bytes: '' };
  const encoding = body.choose(negotiate(accepted));
  // Headers that are not everybody's (what is left of a quota) make an answer of one client only.
  const shared = body.shared && headers === API_HEADERS && status === 200 && extra === undefined;
  const wire = (bytes: Bytes) => {
    const kept = same !== undefined || (shared && bytes.length <= LARGEST_KEPT);
    return kept ? keptWire(answer, body, encoding, bytes, accepted) : wireOnce(answer, body, encoding, bytes);
  };
  const coded = body.in(encoding);
  return coded instanceof Promise ? coded.then(wire) : wire(coded);
}

function wireOnce({ status, headers, extra = [] }: Answer, body: Body, encoding: Encoding, bytes: Bytes): Wire {
  const coding = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`;
  const head = `${commonHead(status, headers)}${lines(extra)}Content-Length: ${bytes.length}\r\n${coding}`;
  return { head, bytes: wirable(bytes), shared: body.shared && bytes.length <= LARGEST_KEPT };
}

/** Larger bodies are not held a second time, together with their head. */
const LARGEST_KEPT = 64 * 1024;
/** The wires of bodies that always have the same head. */
const keptWires = new WeakMap<Body, Map<Encoding, KeptWire>>();

function keptWire(
  { status, headers, extra, same }: Answer,
  body: Body,
  encoding: Encoding,
  bytes: Bytes,
  accepted: string | undefined,
): KeptWire {
  const known = keptWires.get(body)?.get(encoding);
  if (known !== undefined) return known;
  const all = extra === undefined ? headers : [...headers, ...extra];
  const again = same && { until: same.until, next: () => wireAgain(same, accepted) };
  const wire = new KeptWire(status, all, encoding, wirable(bytes), again);
  keptWires.set(body, new Map(keptWires.get(body)).set(encoding, wire));
  return wire;
}

function wireAgain({ next }: Same, accepted: string | undefined): KeptWire | null {
  const answer = next();
  const wire = answer && wireOf(answer, accepted);
  return wire instanceof KeptWire ? wire : null;
}

/** For how long a wire may be given again to the same request of the same client, and which one then; see `Same`. */
type Again = { readonly until: number; readonly next: () => KeptWire | null };

/** A kept answer: its text is put together once a second and then only sent. */
export class KeptWire {
  readonly #again: Again | undefined;
  readonly #wire: Wire;
  #second = -1;
  #text: string | Buffer = '';

  constructor(status: number, headers: HeaderList, encoding: Encoding, bytes: Bytes, again?: Again) {
    this.#again = again;
    this.#wire = { head: headOf(status, headersOf(headers, encoding, bytes.length)), bytes };
  }

  /** What the client that was given this may be given for the same request at a moment, by `performance.now()`. */
  again(now: number): KeptWire | null {
    if (this.#again === undefined) return null;
    return now < this.#again.until ? this : this.#again.next();
  }

  /** Whether it may be given again at all. */
  get repeated(): boolean {
    return this.#again !== undefined;
  }

  /** Everything, for a connection that stays open. */
  at(now: number, keptMs: number): string | Buffer {
    const second = Math.floor(now / 1000);
    if (second === this.#second) return this.#text;
    const { head, bytes } = this.#wire;
    const top = head + momentOf(now, keptMs, false);
    this.#text = typeof bytes === 'string' ? keepable(top + bytes) : Buffer.concat([Buffer.from(top, 'latin1'), bytes]);
    this.#second = second;
    return this.#text;
  }

  get wire(): Wire {
    return this.#wire;
  }
}

/** Measured with 19 KB: to write a long string costs a third more than to write its bytes. */
const keepable = (text: string) => (text.length <= SMALL ? text : Buffer.from(text, 'latin1'));

/** Writes an answer; `false` = the client does not keep up with reading. */
export function writeWire(socket: Socket, wire: Wire, now: number, keptMs: number, last: boolean): boolean {
  const { head, bytes, shared } = wire;
  const top = head + momentOf(now, keptMs, last);
  if (typeof bytes === 'string') return socket.write(top + bytes, 'latin1');
  if (shared && top.length <= ROOM) return writeInOnePiece(socket, top, bytes);
  socket.cork();
  socket.write(top, 'latin1');
  const kept = socket.write(bytes);
  socket.uncork();
  return kept;
}

/** Longer heads than ours with a key. */
const ROOM = 1_024;
/** Shared bytes with room before them for the head of an answer. */
const roomy = new WeakMap<Buffer, Buffer>();

/** Measured with 19 KB: head and bytes as one piece cost a sixth less than as two. */
function writeInOnePiece(socket: Socket, top: string, bytes: Buffer): boolean {
  const piece = roomy.get(bytes) ?? Buffer.concat([Buffer.alloc(ROOM), bytes]);
  const start = ROOM - top.length;
  piece.write(top, start, 'latin1');
  const kept = socket.write(piece.subarray(start));
  // What the system has not taken yet will still be read from there: the next answer gets a piece of its own.
  if (socket.writableLength === 0) roomy.set(bytes, piece);
  else roomy.delete(bytes);
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
