/** Refuses bytes that are not an HTTP request: writes an error of the contract to the bare socket. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { MESSAGES } from '../../contract/messages.ts';
import { corsAllowed } from '../../request/cors.ts';
import type { HeaderList } from '../../response/answer.ts';
import { inNamedFormat } from '../../response/journey-problem.ts';
import { STATUS_CODES } from '../../response/node-http.ts';
import { type Problem, problem, problemAnswer } from '../../response/problem.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { closeGracefully } from './graceful-close.ts';

/** The error that Node reports for a request that it cannot parse. */
export type ProtocolError = Error & { code?: string | undefined; rawPacket?: Buffer | undefined };

type RefusalLimits = Pick<ConnectionLimits, 'targetBytes' | 'lingerMs' | 'stallTimeoutMs'>;

/**
 * Answers a request that cannot be parsed, and ends its connection. `latestResponse` is the response to the previous
 * request on the same connection, `undefined` = there was none. Returns the status; `null` = nothing was answered.
 */
export function refuseOnSocket(
  error: ProtocolError,
  socket: Socket,
  latestResponse: ServerResponse | undefined,
  limits: RefusalLimits,
): number | null {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return null;
  }
  // Once per socket: while earlier answers are under way, Node may report more bytes as broken or late.
  if (refusedSockets.has(socket)) return null;
  refusedSockets.add(socket);
  const unfinished = latestResponse?.req.complete === false ? latestResponse.req : undefined;
  // The request with the broken body has its answer: the client would take a second one for the next request's.
  const alreadyAnswered = unfinished !== undefined && latestResponse?.headersSent === true;
  // After a complete earlier request, with which the packet may begin, nothing is known of what is refused.
  const refused = latestResponse === undefined ? requestInPacket(error.rawPacket) : unfinished;
  // Pages of any origin may read the refusal of a request without a readable target: it contains no data.
  const cors = refused === undefined || corsAllowed(refused.method, refused.url);
  const found = protocolProblem(error, limits.targetBytes);
  const refusal = refused === undefined ? found : inNamedFormat(refused.method, refused.url, found);
  const finalBytes = alreadyAnswered ? Buffer.alloc(0) : serializeRefusal(refusal, cors);
  const end = (previous?: ServerResponse) => endConnection(socket, finalBytes, limits, previous);
  // Answers to earlier requests go out first, in order.
  if (latestResponse === undefined || latestResponse.writableFinished) end();
  // Prepended: where the client has ended its side, Node's own listener ends ours.
  else if (latestResponse.req.complete || alreadyAnswered)
    latestResponse.prependOnceListener('finish', () => end(latestResponse));
  else if (latestResponse.socket === null) latestResponse.once('socket', () => end());
  else end();
  return alreadyAnswered ? null : refusal.status;
}

const refusedSockets = new WeakSet<Socket>();

/** Writes the last bytes of a connection, unless the previous answer announced the close. */
function endConnection(socket: Socket, bytes: Buffer, limits: RefusalLimits, previous?: ServerResponse): void {
  if (!socket.writable) return;
  const wasLast = previous !== undefined && (!previous.shouldKeepAlive || previous.getHeader('Connection') === 'close');
  if (!wasLast) socket.write(bytes);
  closeGracefully(socket, limits);
}

function protocolProblem({ code, rawPacket }: ProtocolError, maxTargetBytes: number): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return targetLength(rawPacket) > maxTargetBytes
        ? problem(414, MESSAGES.urlTooLong)
        : problem(431, MESSAGES.headersTooLarge);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return problem(408, MESSAGES.requestTimeout);
    default:
      return problem(400, MESSAGES.requestMalformed);
  }
}

/** The method and the target of the request that a packet begins with; `undefined` = it begins with none. */
function requestInPacket(packet: Buffer | undefined): Pick<IncomingMessage, 'method' | 'url'> | undefined {
  const [, method, url] = /^[\r\n]*([A-Z]+) +(\S+)/.exec(packet?.toString('latin1', 0, 4_096) ?? '') ?? [];
  return method === undefined || url === undefined ? undefined : { method, url };
}

/** Length of the first line in the packet; for a request that came in one packet, that is the request line. */
function targetLength(packet: Buffer | undefined): number {
  if (!packet || !/^[A-Z]+ \S/.test(packet.toString('latin1', 0, 32))) return 0;
  const end = packet.indexOf('\r\n');
  return end === -1 ? packet.length : end;
}

function serializeRefusal(refused: Problem, cors: boolean): Buffer {
  const { status, headers, body } = problemAnswer(refused, cors);
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
