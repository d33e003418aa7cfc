/** The network that a client belongs to: where limits are shared, its clients count as neighbours. */
import { addressText, networkAddress, parseAddress } from './ip-address.ts';

/** A provider gives an IPv6 site a network of this prefix length; an IPv4 network of this length has one holder. */
const NETWORK_PREFIX = { 4: 24, 6: 48 } as const;

/**
 * The network of a client as `clientAddress` names it: `192.0.2.0/24` of `192.0.2.7`, `2001:db8:1::/48` of
 * `2001:db8:1:2::/64`. Clients without an address, such as `unknown`, are a network of their own.
 */
export function clientNetwork(client: string): string {
  const address = parseAddress(client.replace(/\/\d+$/, ''));
  if (address === null) return client;
  const prefix = NETWORK_PREFIX[address.family];
  return `${addressText(networkAddress(address, prefix))}/${prefix}`;
}
