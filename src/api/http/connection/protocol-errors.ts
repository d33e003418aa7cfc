/** Answers to what is no HTTP request: written to the bare socket, in our envelope and with our headers. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { MESSAGES } from '../../contract/messages.ts';
import { corsAllowed } from '../../request/cors.ts';
import type { HeaderList } from '../../response/answer.ts';
import { type Problem, problem, refusal } from '../../response/problem.ts';

/** What Node tells of a request that it could not read. */
export type WireError = Error & { code?: string | undefined; rawPacket?: Buffer | undefined };

/** How long a client may take to read the refusal before the socket is cut. */
const LINGER_MS = 1_000;

/**
 * Answers a request that cannot be read, and ends its connection. `latest` is the answer to the request before it on the
 * same connection, `undefined` = there was none.
 */
export function refuseOnWire(
  error: WireError,
  socket: Duplex,
  latest: ServerResponse | undefined,
  maxTargetBytes: number,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // It is told once: while answers before it are being made, what follows it may be found broken, or late, as well.
  if (refused.has(socket)) return;
  refused.add(socket);
  // What is broken is the body of a request that has its answer already: a second one would be taken for the next request's.
  const answered = latest !== undefined && !latest.req.complete && latest.headersSent;
  const cors =
    latest === undefined
      ? corsOf(error.rawPacket)
      : latest.req.complete || corsAllowed(latest.req.method, latest.req.url);
  const last = answered ? Buffer.alloc(0) : onWire(problemOf(error, maxTargetBytes), cors);
  // Answers to the requests before it go out first, in their order.
  if (latest === undefined || latest.writableFinished) end(socket, last);
  // Before Node's own listener: where the client has ended its side, that one ends ours.
  else if (latest.req.complete || answered) latest.prependOnceListener('finish', () => end(socket, last, latest));
  else if (latest.socket === null) latest.once('socket', () => end(socket, last));
  else end(socket, last);
}

const refused = new WeakSet<Duplex>();

/** Writes the last bytes of a connection, unless the answer before them said that it was the last. */
function end(socket: Duplex, bytes: Buffer, before?: ServerResponse): void {
  if (!socket.writable) return;
  const wasLast = before !== undefined && (!before.shouldKeepAlive || before.getHeader('Connection') === 'close');
  socket.end(wasLast ? undefined : bytes);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}

function problemOf({ code, rawPacket }: WireError, maxTargetBytes: number): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return targetLength(rawPacket) > maxTargetBytes
        ? problem(414, MESSAGES.urlTooLong)
        : problem(431, MESSAGES.headersTooLarge);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem(408, MESSAGES.requestSlow);
    default:
      return problem(400, MESSAGES.requestBroken);
  }
}

/** What cannot be read as far as its target is told to pages as well: no data are in it. */
function corsOf(packet: Buffer | undefined): boolean {
  const [, method, target] = /^([A-Z]+) (\S+)/.exec(packet?.toString('latin1', 0, 200) ?? '') ?? [];
  return method === undefined || corsAllowed(method, target);
}

/** Length of the first line of what was read; of a request that came in one piece that is its target's. */
function targetLength(packet: Buffer | undefined): number {
  if (!packet || !/^[A-Z]+ \S/.test(packet.toString('latin1', 0, 32))) return 0;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length : end;
}

function onWire(refused: Problem, cors: boolean): Buffer {
  const { status, headers, body } = refusal(refused, cors);
  const bytes = body?.plain ?? Buffer.alloc(0);
  const all: HeaderList = [
    ...headers,
    'Content-Length',
    String(bytes.length),
    'Date',
    new Date().toUTCString(),
    'Connection',
    'close',
  ];
  const lines = all.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${all[index + 1]}\r\n`] : []));
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`), bytes]);
}
