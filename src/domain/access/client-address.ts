/** Who is calling: the address that limits count, and the one that answers for a crawler (rule 1). */
import { addressText, type IpAddress, networkAddress, parseAddress, parseAddressAndPort } from './ip-address.ts';
import { isTrusted, type TrustedProxies } from './trusted-proxies.ts';

export type ClientAddress = {
  /** The whole address in its canonical text, for reverse DNS. */
  readonly address: string;
  /** What limits count: an IPv4 address, or the /64 of an IPv6 one, such as `2001:db8::/64`. */
  readonly client: string;
};

/** A caller whose connection is already gone: all of them are one. */
const UNKNOWN: ClientAddress = { address: 'unknown', client: 'unknown' };
/** An IPv6 customer is given this much, and may call from any address of it. */
const CLIENT_PREFIX = 64;

/**
 * The client behind a connection: its peer, unless that is a trusted proxy; then the entry of `X-Forwarded-For` that is
 * met first, from the right, of those that are not trusted.
 *
 * @param peer the socket's remote address; `undefined` once the socket is closed
 * @param forwardedFor the header, several of them joined by commas in their order; not read unless the peer is trusted,
 *   so that without proxies the result may be kept for as long as the connection
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): ClientAddress {
  const socket = peer === undefined ? null : parseAddress(peer);
  if (socket === null) return UNKNOWN;
  const caller = forwardedFor === undefined ? socket : firstUntrusted(socket, forwardedFor, trusted);
  const address = addressText(caller);
  if (caller.family === 4) return { address, client: address };
  return { address, client: `${addressText(networkAddress(caller, CLIENT_PREFIX))}/${CLIENT_PREFIX}` };
}

/** Walks from the socket leftwards for as long as a trusted one names the next; where it names none, it is the client. */
function firstUntrusted(socket: IpAddress, forwardedFor: string, trusted: TrustedProxies): IpAddress {
  let caller = socket;
  let end = forwardedFor.length;
  while (end >= 0 && isTrusted(caller, trusted)) {
    const start = forwardedFor.lastIndexOf(',', end - 1) + 1;
    const entry = parseAddressAndPort(forwardedFor.slice(start, end).trim());
    if (entry === null) break;
    caller = entry.address;
    end = start - 1;
  }
  return caller;
}
