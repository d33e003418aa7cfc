/** Answers to what is no HTTP request: written to the bare socket, in our envelope and with our headers. */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HeaderList } from './answer.ts';
import { MESSAGES } from './messages.ts';
import { type Problem, problem, refusal } from './problem.ts';

/** What Node tells of a request that it could not read. */
export type WireError = Error & { code?: string | undefined; rawPacket?: Buffer | undefined };

/** How long a client may take to read the refusal before the socket is cut. */
const LINGER_MS = 1_000;

/** Answers a request that cannot be read, and ends its connection. */
export function refuseOnWire(error: WireError, socket: Duplex, maxTargetBytes: number): void {
  const answering = (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  // Bytes put into the middle of an answer would be taken for part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(onWire(problemOf(error, maxTargetBytes)));
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

/** Length of the first line of what was read; of a request that came in one piece that is its target's. */
function targetLength(packet: Buffer | undefined): number {
  if (!packet || !/^[A-Z]+ \S/.test(packet.toString('latin1', 0, 32))) return 0;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length : end;
}

function onWire(refused: Problem): Buffer {
  const { status, headers, body } = refusal(refused);
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
