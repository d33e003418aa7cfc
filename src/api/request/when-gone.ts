import { EventEmitter } from 'node:events';
import type { Caller } from './caller.ts';

/**
 * Aborts once a caller has left: its connection is closed, or it has ended its side, which is all that a client that
 * gave up shows until something is written to it. `stop` ends the watch.
 */
export function watchConnection({ peer }: Caller): { readonly gone: AbortSignal; readonly stop: () => void } {
  const closed = new AbortController();
  const leave = () => closed.abort();
  const socket = peer instanceof EventEmitter ? peer : null;
  socket?.once('end', leave).once('close', leave);
  return { gone: closed.signal, stop: () => void socket?.off('end', leave).off('close', leave) };
}
