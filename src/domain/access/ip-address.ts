/** IP addresses as numbers, and their one canonical text. */

export type IpAddress = {
  readonly family: 4 | 6;
  /** The address as one number, of 32 or 128 bits. */
  readonly bits: bigint;
};

/** How many bits an address of the family has. */
export const ADDRESS_BITS = { 4: 32, 6: 128 } as const;

/** An IPv6 address at its longest, `0000:0000:0000:0000:0000:ffff:255.255.255.255`. */
const MAX_ADDRESS_LENGTH = 45;
const ZONE = /^[\w.:~-]{1,32}$/;
/** `::ffff:a.b.c.d` without its IPv4 part. */
const IPV4_MAPPED_PREFIX = 0xffffn;
/** `64:ff9b::/96` without its IPv4 part: how translators (NAT64, SIIT) write IPv4. Source: RFC 6052, 2.1. */
const IPV4_TRANSLATED_PREFIX = 0x0064_ff9b_0000_0000_0000_0000n;

/**
 * Parses an address; `null` if the text is not one. An IPv4-mapped IPv6 address (`::ffff:a.b.c.d`, in whatever
 * spelling) is the IPv4 address inside it. A zone (`fe80::1%eth0`) has a meaning on its own machine only and is
 * dropped.
 */
export function parseAddress(text: string): IpAddress | null {
  if (!text.includes(':')) return parseV4(text);
  const zone = text.indexOf('%');
  if (zone >= 0 && !ZONE.test(text.slice(zone + 1))) return null;
  const bits = parseV6(zone < 0 ? text : text.slice(0, zone));
  if (bits === null) return null;
  return bits >> 32n === IPV4_MAPPED_PREFIX ? { family: 4, bits: bits & 0xffffffffn } : { family: 6, bits };
}

/** The IPv4 address that a translator wrote as `64:ff9b::a.b.c.d`; any other address is returned as it is. */
export function untranslated(address: IpAddress): IpAddress {
  const { family, bits } = address;
  return family === 6 && bits >> 32n === IPV4_TRANSLATED_PREFIX ? { family: 4, bits: bits & 0xffffffffn } : address;
}

/** The canonical text: IPv4 dotted, IPv6 in lower case with its longest run of zeros as `::` (RFC 5952). */
export function addressText({ family, bits }: IpAddress): string {
  return family === 4 ? textV4(Number(bits)) : textV6(bits);
}

/** The first address of the network that holds an address, by the length of its prefix. */
export function networkAddress({ family, bits }: IpAddress, prefix: number): IpAddress {
  const rest = BigInt(ADDRESS_BITS[family] - prefix);
  return { family, bits: (bits >> rest) << rest };
}

/** Address and port of `1.2.3.4:80` or `[2001:db8::1]:80`, the port is optional; `null` if the text is not valid. */
export function parseAddressAndPort(text: string): { address: IpAddress; port: number | null } | null {
  const [, v6, v4 = text, digits] = /^(?:\[([^[\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? null : Number(digits);
  const address = v6 === undefined ? parseAddress(v4) : v6.includes(':') ? parseAddress(v6) : null;
  return address === null || (port ?? 0) > 65_535 ? null : { address, port };
}

function parseV4(text: string): IpAddress | null {
  if (text.length > 15) return null;
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (parts === null) return null;
  let bits = 0;
  for (let at = 1; at <= 4; at += 1) {
    const part = parts[at] as string;
    // A leading zero is octal to some readers and decimal to others.
    if (Number(part) > 255 || (part.length > 1 && part.startsWith('0'))) return null;
    bits = bits * 256 + Number(part);
  }
  return { family: 4, bits: BigInt(bits) };
}

function parseV6(text: string): bigint | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  const halves = text.split('::');
  const [left, right] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (halves.length > 2 || left === undefined) return null;
  const tail = expandEmbeddedIpv4(right ?? left);
  if (tail === null) return null;
  const head = right === undefined ? [] : left;
  const missing = 8 - head.length - tail.length;
  if (right === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail];
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`)
    : null;
}

/** Rewrites an IPv4 address at the end as two groups. */
function expandEmbeddedIpv4(groups: readonly string[]): readonly string[] | null {
  const last = groups.at(-1);
  if (!last?.includes('.')) return groups;
  const v4 = parseV4(last);
  return v4 && [...groups.slice(0, -1), (v4.bits >> 16n).toString(16), (v4.bits & 0xffffn).toString(16)];
}

function textV4(bits: number): string {
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

function textV6(bits: bigint): string {
  const digits = bits.toString(16).padStart(32, '0');
  const groups = Array.from({ length: 8 }, (_, at) => Number.parseInt(digits.slice(4 * at, 4 * at + 4), 16));
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  let length = 0;
  groups.forEach((group, at) => {
    length = group === 0 ? length + 1 : 0;
    if (length > best.length) best = { start: at - length + 1, length };
  });
  return best;
}
