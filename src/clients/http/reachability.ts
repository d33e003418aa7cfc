/** Checks whether a service is reachable: it connects, with a TLS handshake for https, and sends no request. */
import { lookup } from 'node:dns';
import net, { type LookupFunction } from 'node:net';
import tls from 'node:tls';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { isPrivateLiteral, publicLookup } from './private-address.ts';
import { RequestFailure, toRequestFailure } from './request-failure.ts';

export type ReachabilityOptions = {
  readonly withinMs: number;
  /** Certificate authorities to trust instead of the runtime's own. */
  readonly ca?: readonly string[] | undefined;
  /** Whether loopback and private addresses may be reached: for addresses that the operator has set. */
  readonly allowPrivate: boolean;
};

/** The time it took, ms, and the expiry of the certificate, epoch ms; `null` = plain http. */
export type ReachabilityResult = { readonly ms: number; readonly certificateEnds: number | null };

/** Connects to the host of an http or https address and disconnects. Rejects with a `RequestFailure` if it cannot. */
export async function checkReachable(
  address: string,
  { withinMs, ca, allowPrivate }: ReachabilityOptions,
): Promise<ReachabilityResult> {
  const url = new URL(address);
  if (!allowPrivate && isPrivateLiteral(url)) throw toRequestFailure({ code: 'PRIVATE_ADDRESS' });
  const secure = url.protocol === 'https:';
  const begun = performance.now();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const target = {
    host,
    port: Number(url.port) || (secure ? 443 : 80),
    lookup: (allowPrivate ? lookup : publicLookup) as LookupFunction,
  };
  const serverName = net.isIP(host) === 0 ? { servername: host } : {};
  const socket = secure ? tls.connect({ ...target, ...serverName, ...(ca && { ca: [...ca] }) }) : net.connect(target);
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
  socket.once(event, () => resolve());
  // The listener stays: an error after the deadline must not end the process.
  socket.on('error', (error) => reject(toRequestFailure(error)));
  return withTimeout(withinMs, promise, () => new RequestFailure(`no connection within ${withinMs / 1000} s`, true));
}
