import { EventEmitter } from 'node:events';
import type { Caller } from './caller.ts';

/** Aborts once the connection of a caller is closed; `stop` ends the watch. */
export function watchConnection({ peer }: Caller): { readonly gone: AbortSignal; readonly stop: () => void } {
  const closed = new AbortController();
  const leave = () => closed.abort();
  const socket = peer instanceof EventEmitter ? peer : null;
  socket?.once('close', leave);
  return { gone: closed.signal, stop: () => void socket?.off('close', leave) };
}
