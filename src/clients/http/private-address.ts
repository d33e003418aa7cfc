/** Keeps requests out of private networks, for addresses that the operator did not choose. */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries. */
const PRIVATE_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
// With the ranges that carry an IPv4 address inside: mapped, translated, NAT64, Teredo and 6to4.
const PRIVATE_V6 = [
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

// Separate lists: a combined one treats every IPv4 address as a mapped one, and a range above covers all of those.
const LIST_V4 = new BlockList();
const LIST_V6 = new BlockList();
for (const range of PRIVATE_V4) LIST_V4.addSubnet(...subnet(range), 'ipv4');
for (const range of PRIVATE_V6) LIST_V6.addSubnet(...subnet(range), 'ipv6');

/** Whether an IP address, v4 or v6, belongs to a private, local or reserved network. */
function isPrivateAddress(address: string): boolean {
  return isIP(address) === 6 ? LIST_V6.check(address, 'ipv6') : LIST_V4.check(address, 'ipv4');
}

/** Whether the host of a URL is an address literal that is private: sockets skip the look-up for those. */
export function isPrivateLiteral(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isPrivateAddress(host);
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** A `dns.lookup` that never returns a private address, whatever the name server answers. */
export function publicLookup(host: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const allowed = addresses.filter(({ address }) => !isPrivateAddress(address));
    const first = allowed[0];
    if (!first) return callback(Object.assign(new Error('private address'), { code: 'PRIVATE_ADDRESS' }), []);
    return options.all ? callback(null, allowed) : callback(null, first.address, first.family);
  });
}

function subnet(range: string): [network: string, bits: number] {
  const [network = '', bits = ''] = range.split('/');
  return [network, Number(bits)];
}
