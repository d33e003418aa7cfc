/** Whether a service can be reached: a connection, and the handshake where it is https. Nothing is asked of it. */
import { lookup } from 'node:dns';
import net, { type LookupFunction } from 'node:net';
import tls from 'node:tls';
import { Trouble, troubleOf } from './failure.ts';
import { isPrivateLiteral, publicLookup } from './private-address.ts';

export type ReachOptions = {
  readonly withinMs: number;
  /** Certificate authorities to trust instead of the runtime's own. */
  readonly ca?: readonly string[] | undefined;
  /** Whether loopback and private addresses may be reached: for addresses that the operator has set. */
  readonly allowPrivate: boolean;
};

/** How long it took, ms, and when its certificate ends, epoch ms; `null` = plain http. */
export type Reached = { readonly ms: number; readonly certificateEnds: number | null };

/** Connects to the host of an http or https address and hangs up. Rejects with `Trouble`, one clause, where it cannot. */
export async function reach(address: string, { withinMs, ca, allowPrivate }: ReachOptions): Promise<Reached> {
  const url = new URL(address);
  if (!allowPrivate && isPrivateLiteral(url)) throw troubleOf({ code: 'PRIVATE_ADDRESS' });
  const secure = url.protocol === 'https:';
  const begun = performance.now();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const place = {
    host,
    port: Number(url.port) || (secure ? 443 : 80),
    lookup: (allowPrivate ? lookup : publicLookup) as LookupFunction,
  };
  const named = net.isIP(host) === 0 ? { servername: host } : {};
  const socket = secure ? tls.connect({ ...place, ...named, ...(ca && { ca: [...ca] }) }) : net.connect(place);
  try {
    await open(socket, secure ? 'secureConnect' : 'connect', withinMs);
    const ends = socket instanceof tls.TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null;
    return { ms: Math.round(performance.now() - begun), certificateEnds: ends };
  } finally {
    socket.destroy();
  }
}

function open(socket: net.Socket, event: string, withinMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(new Trouble(`no connection within ${withinMs / 1000} s`, true)), withinMs);
  socket.once(event, () => resolve());
  // It stays listened to: what comes after the deadline must not end the process.
  socket.on('error', (error) => reject(troubleOf(error)));
  return promise.finally(() => clearTimeout(late));
}
