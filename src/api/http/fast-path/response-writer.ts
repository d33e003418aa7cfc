/** Writes answers as HTTP/1.1 bytes without Node's response object, which costs more than everything else. */
import type { Socket } from 'node:net';
import type { Body, Bytes } from '../../encoding/body.ts';
import { type Encoding, negotiate } from '../../encoding/negotiation.ts';
import { unpooled } from '../../encoding/unpooled.ts';
import { type Answer, type HeaderList, PUBLIC_JSON_HEADERS, type Repeatable } from '../../response/answer.ts';
import { STATUS_CODES } from '../../response/node-http.ts';
import type { RefusalKind } from '../../response/refusal-kinds.ts';

/** One answer without the parts that depend on the moment and the connection. */
export type RawResponse = {
  readonly status: number;
  readonly refusal?: RefusalKind | undefined;
  /** The status line and the headers, each with its CRLF, without `Date` and `Connection`. */
  readonly head: string;
  readonly bytes: Bytes;
  /** Whether other answers share these bytes. */
  readonly hasSharedBytes?: boolean;
};

/** The answer for a client with that `Accept-Encoding`; a promise where the body must be compressed first. */
export function rawResponseOf(
  answer: Answer,
  acceptEncoding: string | undefined,
): RawResponse | CachedResponse | Promise<RawResponse | CachedResponse> {
  const { status, headers, body, extraHeaders, repeatable } = answer;
  // The length in a 304 would be that of the page it stands for.
  if (body === null) {
    const all = [...headers, ...(extraHeaders ?? [])];
    return { status, head: headOf(status, status === 304 ? all : [...all, 'Content-Length', '0']), bytes: '' };
  }
  const encoding = body.chooseEncoding(negotiate(acceptEncoding));
  // A header of one client (such as its remaining quota) makes the answer that client's alone.
  const isSharedAnswer = body.shared && status === 200 && extraHeaders === undefined;
  const maxCachedBytes = headers === PUBLIC_JSON_HEADERS ? MAX_CACHED_BYTES : SMALL_RESPONSE_BYTES;
  const build = (bytes: Bytes) => {
    const isCached = repeatable !== undefined || (isSharedAnswer && bytes.length <= maxCachedBytes);
    const cached = isCached ? cachedResponse(answer, body, encoding, bytes, acceptEncoding) : null;
    return cached ?? singleUseResponse(answer, body, encoding, bytes);
  };
  const coded = body.encoded(encoding);
  return coded instanceof Promise ? coded.then(build) : build(coded);
}

function singleUseResponse(
  { status, headers, extraHeaders = [], refusal }: Answer,
  body: Body,
  encoding: Encoding,
  bytes: Bytes,
): RawResponse {
  const coding = encoding === 'identity' ? '' : `Content-Encoding: ${encoding}\r\n`;
  const head = `${commonHead(status, headers)}${headerLines(extraHeaders)}Content-Length: ${bytes.length}\r\n${coding}`;
  const hasSharedBytes = body.shared && bytes.length <= MAX_CACHED_BYTES;
  return { status, refusal, head, bytes: cheapestForm(bytes), hasSharedBytes };
}

/** Larger bodies are not cached a second time together with their head. */
const MAX_CACHED_BYTES = 64 * 1024;
/** Responses of bodies, each with the head that it was first sent with. */
const cachedResponses = new WeakMap<Body, Map<Encoding, { headers: HeaderList; response: CachedResponse }>>();

/** `null` = the body has other headers elsewhere. */
function cachedResponse(
  { status, headers, extraHeaders, repeatable, refusal }: Answer,
  body: Body,
  encoding: Encoding,
  bytes: Bytes,
  acceptEncoding: string | undefined,
): CachedResponse | null {
  const known = cachedResponses.get(body)?.get(encoding);
  if (known !== undefined) return known.headers === headers ? known.response : null;
  const all = extraHeaders === undefined ? headers : [...headers, ...extraHeaders];
  const reuse = repeatable && { until: repeatable.until, next: () => nextResponse(repeatable, acceptEncoding) };
  const response = new CachedResponse(status, all, encoding, bytes, { reuse, refusal });
  cachedResponses.set(body, new Map(cachedResponses.get(body)).set(encoding, { headers, response }));
  return response;
}

function nextResponse({ next }: Repeatable, acceptEncoding: string | undefined): CachedResponse | null {
  const answer = next();
  const response = answer && rawResponseOf(answer, acceptEncoding);
  return response instanceof CachedResponse ? response : null;
}

/**
 * Until when the same client may get a response again for the same request, and which one follows. See `Repeatable`.
 */
type ReuseRule = { readonly until: number; readonly next: () => CachedResponse | null };

/** A cached answer: its text is rendered once a second. */
export class CachedResponse {
  readonly #reuse: ReuseRule | undefined;
  readonly #raw: RawResponse;
  #renderedSecond = -1;
  #rendered: string | Buffer = '';

  constructor(
    status: number,
    headers: HeaderList,
    encoding: Encoding,
    bytes: Bytes,
    { reuse, refusal }: { readonly reuse?: ReuseRule | undefined; readonly refusal?: RefusalKind | undefined } = {},
  ) {
    this.#reuse = reuse;
    this.#raw = {
      ...{ status, refusal },
      head: headOf(status, withContentHeaders(headers, encoding, bytes.length)),
      bytes: cheapestForm(bytes),
    };
  }

  /**
   * The response that the same client gets for the same request at a moment (`performance.now()`); `null` = there is
   * none: answer the request.
   */
  reusableAt(now: number): CachedResponse | null {
    if (this.#reuse === undefined) return null;
    return now < this.#reuse.until ? this : this.#reuse.next();
  }

  /** Whether it may be repeated at all. */
  get reusable(): boolean {
    return this.#reuse !== undefined;
  }

  /** Head and body, for a connection that stays open. */
  render(now: number, keepAliveMs: number): string | Buffer {
    const second = Math.floor(now / 1000);
    if (second === this.#renderedSecond) return this.#rendered;
    const { head, bytes } = this.#raw;
    const fullHead = head + dateAndConnection(now, keepAliveMs, false);
    this.#rendered = typeof bytes === 'string' ? cheapestToWrite(fullHead + bytes) : withHead(fullHead, bytes);
    this.#renderedSecond = second;
    return this.#rendered;
  }

  get raw(): RawResponse {
    return this.#raw;
  }
}

/** Measured with 19 KB: writing a long string costs a third more than writing its bytes. */
const cheapestToWrite = (text: string) =>
  text.length <= SMALL_RESPONSE_BYTES ? text : unpooled(Buffer.from(text, 'latin1'));

function withHead(fullHead: string, bytes: Buffer): Buffer {
  const buffer = unpooled(bytes, fullHead.length);
  buffer.write(fullHead, 'latin1');
  return buffer;
}

/** Writes an answer; `false` = the client reads too slowly. */
export function writeResponse(
  socket: Socket,
  response: RawResponse,
  now: number,
  keepAliveMs: number,
  closeAfter: boolean,
): boolean {
  const { head, bytes, hasSharedBytes } = response;
  const fullHead = head + dateAndConnection(now, keepAliveMs, closeAfter);
  if (typeof bytes === 'string') return socket.write(fullHead + bytes, 'latin1');
  if (hasSharedBytes && fullHead.length <= HEAD_ROOM_BYTES) return writeInOnePiece(socket, fullHead, bytes);
  socket.cork();
  socket.write(fullHead, 'latin1');
  const writable = socket.write(bytes);
  socket.uncork();
  return writable;
}

/** More than the longest head, which is that of an answer with a key. */
const HEAD_ROOM_BYTES = 1_024;
/** Shared bodies, each in a buffer with room in front for the head of an answer. */
const buffersWithHeadRoom = new WeakMap<Buffer, Buffer>();

/** Measured with 19 KB: one write of head and body costs a sixth less than two. */
function writeInOnePiece(socket: Socket, fullHead: string, bytes: Buffer): boolean {
  const buffer = buffersWithHeadRoom.get(bytes) ?? unpooled(bytes, HEAD_ROOM_BYTES);
  const start = HEAD_ROOM_BYTES - fullHead.length;
  buffer.write(fullHead, start, 'latin1');
  const writable = socket.write(buffer.subarray(start));
  // Bytes that the kernel has not taken yet are still read from this buffer: then the next answer gets a new one.
  if (socket.writableLength === 0) buffersWithHeadRoom.set(bytes, buffer);
  else buffersWithHeadRoom.delete(bytes);
  return writable;
}

let dateSecond = -1;
let date = '';

/** The last lines of the head. */
function dateAndConnection(now: number, keepAliveMs: number, closeAfter: boolean): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    date = `Date: ${new Date(now).toUTCString()}\r\n`;
  }
  return closeAfter
    ? `${date}Connection: close\r\n\r\n`
    : `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAliveMs / 1000)}\r\n\r\n`;
}

/** Most answers share one of a few header lists: each is rendered once per status. */
const headCache = new WeakMap<HeaderList, Map<number, string>>();

function commonHead(status: number, headers: HeaderList): string {
  const known = headCache.get(headers) ?? new Map<number, string>();
  const head = known.get(status) ?? headOf(status, headers);
  headCache.set(headers, known.set(status, head));
  return head;
}

function headOf(status: number, headers: HeaderList): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines(headers)}`;
}

function headerLines(headers: HeaderList): string {
  let text = '';
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return text;
}

/** All headers for one content coding of a body. */
function withContentHeaders(headers: HeaderList, encoding: Encoding, length: number): string[] {
  const list = [...headers, 'Content-Length', String(length)];
  if (encoding !== 'identity') list.push('Content-Encoding', encoding);
  return list;
}

/** Up to this many bytes Node writes head and body as one string at less cost than as two buffers (measured). */
const SMALL_RESPONSE_BYTES = 4_096;

/** The bytes in the form that is cheapest to write. */
function cheapestForm(bytes: Bytes): Bytes {
  return typeof bytes !== 'string' && bytes.length <= SMALL_RESPONSE_BYTES ? bytes.toString('latin1') : bytes;
}
