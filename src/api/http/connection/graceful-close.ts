/**
 * Closes a connection so that the client can receive all that was written to it. When a connection is closed while
 * bytes of the client are unread, or arrive later, the system resets it and discards what it has not sent yet: the end
 * of large answers, when a body that nobody reads follows them. Source: RFC 9112, 9.6.
 */
import type { Socket } from 'node:net';
import type { ConnectionLimits } from './connection-limits.ts';

/** A client that sends more after the last answer is cut. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

const closingSockets = new WeakSet<Socket>();

/** Ends our side, then discards what the client sends until it ends its side, too, for a limited time. */
export function closeGracefully(
  socket: Socket,
  { lingerMs, stallTimeoutMs }: Pick<ConnectionLimits, 'lingerMs' | 'stallTimeoutMs'>,
): void {
  if (socket.destroyed || closingSockets.has(socket)) return;
  closingSockets.add(socket);
  const cut = () => socket.destroy();
  let discarded = 0;
  // Detaches the parser, too: no further request is answered.
  socket.removeAllListeners('data').on('data', (part: Buffer) => {
    discarded += part.length;
    if (discarded > MAX_DISCARDED_BYTES) cut();
  });
  const linger = () => {
    const timer = setTimeout(cut, lingerMs);
    timer.unref();
    socket.once('close', () => clearTimeout(timer));
  };
  socket.setTimeout(stallTimeoutMs, cut).resume();
  if (socket.writableFinished) linger();
  else socket.once('finish', linger).end();
}
