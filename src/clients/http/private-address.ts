/** Keeps requests out of private networks, for addresses that the operator did not choose. */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { addressText, parseAddress, untranslated } from '../../domain/access/ip-address.ts';

/** Source: the IANA IPv4 Special-Purpose Address Registry, all that are not globally reachable; multicast. */
const PRIVATE_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private use
  '100.64.0.0/10', // shared by providers
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local
  '172.16.0.0/12', // private use
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private use
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
];
/**
 * Source: the IANA IPv6 Special-Purpose Address Registry, likewise; multicast, and the deprecated ranges. Of those that
 * carry an IPv4 address only `64:ff9b::/96` is in use: there the IPv4 address decides.
 */
const PRIVATE_V6 = [
  '::/96', // unspecified, loopback, IPv4-compatible
  '::ffff:0:0/96', // IPv4-mapped
  '::ffff:0:0:0/96', // IPv4-translated, deprecated
  '64:ff9b:1::/48', // translation of private IPv4
  '100::/64', // discard only
  '100:0:0:1::/64', // dummy prefix
  '2001::/23', // protocol assignments, among them Teredo (2001::/32), benchmarks and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, deprecated
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7', // unique local
  'fe80::/10', // link-local
  'fec0::/10', // site-local, deprecated
  'ff00::/8', // multicast
];

// Separate lists: a combined one treats every IPv4 address as a mapped one, and a range above covers all of those.
const LIST_V4 = new BlockList();
const LIST_V6 = new BlockList();
for (const range of PRIVATE_V4) LIST_V4.addSubnet(...subnet(range), 'ipv4');
for (const range of PRIVATE_V6) LIST_V6.addSubnet(...subnet(range), 'ipv6');

/** Whether an IP address, v4 or v6, belongs to a private, local or reserved network. */
function isPrivateAddress(address: string): boolean {
  if (isIP(address) !== 6) return LIST_V4.check(address, 'ipv4');
  const parsed = parseAddress(address);
  const inner = parsed?.family === 6 ? untranslated(parsed) : null;
  return inner?.family === 4 ? LIST_V4.check(addressText(inner), 'ipv4') : LIST_V6.check(address, 'ipv6');
}

/** Whether the host of a URL is an address literal that is private: sockets skip the look-up for those. */
export function isPrivateLiteral(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host);
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/**
 * A `dns.lookup` that never returns a private address, whatever the name server answers: for names of ours. Those that
 * strangers give are for `createUntrustedLookup`.
 */
export function publicLookup(host: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    returnPublic(addresses, options, callback);
  });
}

/** Ends a look-up with the public ones of a name's addresses; with an error, code `PRIVATE_ADDRESS`, if none is. */
export function returnPublic(
  addresses: readonly LookupAddress[],
  { all }: Pick<LookupOptions, 'all'>,
  callback: LookupCallback,
): void {
  const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
  const first = allowed[0];
  if (!first) callback(Object.assign(new Error('private address'), { code: 'PRIVATE_ADDRESS' }), []);
  else if (all) callback(null, allowed);
  else callback(null, first.address, first.family);
}

function subnet(range: string): [network: string, bits: number] {
  const [network = '', bits = ''] = range.split('/');
  return [network, Number(bits)];
}
