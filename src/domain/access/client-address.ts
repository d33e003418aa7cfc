/** The client's address: the one that limits count by, and the one that reverse DNS checks for a crawler (rule 1). */
import {
  addressText,
  type IpAddress,
  networkAddress,
  parseAddress,
  parseAddressAndPort,
  untranslated,
} from './ip-address.ts';
import { isTrusted, type TrustedProxies } from './trusted-proxies.ts';

export type ClientAddress = {
  /** The whole address in its canonical text, for reverse DNS. */
  readonly address: string;
  /** What limits count by: an IPv4 address, or the /64 of an IPv6 one, such as `2001:db8::/64`. */
  readonly client: string;
};

/** Stands for every caller whose connection is already closed. */
const UNKNOWN: ClientAddress = { address: 'unknown', client: 'unknown' };
/** A provider gives an IPv6 customer a network of this prefix length; the customer may call from any address in it. */
const CLIENT_PREFIX = 64;

/**
 * The client behind a connection: its peer, unless that is a trusted proxy; then the first untrusted entry of
 * `X-Forwarded-For`, read from the right.
 *
 * @param peer the socket's remote address; `undefined` once the socket is closed
 * @param forwardedFor the header; several headers are joined by commas in their order. It is read only if the peer is
 *   trusted, so without proxies the result holds for the whole connection
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trusted: TrustedProxies,
): ClientAddress {
  const socket = peer === undefined ? null : parseAddress(peer);
  if (socket === null) return UNKNOWN;
  // Behind a translator all IPv4 clients come from one /64.
  const caller = untranslated(forwardedFor === undefined ? socket : firstUntrusted(socket, forwardedFor, trusted));
  const address = addressText(caller);
  if (caller.family === 4) return { address, client: address };
  return { address, client: `${addressText(networkAddress(caller, CLIENT_PREFIX))}/${CLIENT_PREFIX}` };
}

/** Walks leftwards from the socket while the current address is a trusted proxy that names the next one. */
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
