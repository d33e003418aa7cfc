/** The proxies that are trusted to name their client's address. */
import { ADDRESS_BITS, addressText, type IpAddress, networkAddress, parseAddress } from './ip-address.ts';

type AddressRange = { readonly first: bigint; readonly last: bigint };
/** Address ranges by family, sorted; no two overlap or touch. */
export type TrustedProxies = { readonly 4: readonly AddressRange[]; readonly 6: readonly AddressRange[] };

/** No proxy is trusted. */
export const NO_PROXIES: TrustedProxies = Object.freeze({ 4: Object.freeze([]), 6: Object.freeze([]) });

/**
 * Parses a comma-separated list of addresses and networks such as `10.0.0.0/8, fd00::/8`; a mapped one
 * (`::ffff:10.0.0.0/104`) counts as IPv4. Refuses, with a message that gives the valid form, an entry that is empty, is
 * neither an address nor a network, or has host bits set; and a list that covers more than half of IPv4 or of IPv6 in
 * all (rule 1).
 */
export function parseTrustedProxies(list: string): TrustedProxies | { readonly problem: string } {
  const ranges: { 4: AddressRange[]; 6: AddressRange[] } = { 4: [], 6: [] };
  for (const [at, entry] of list.split(',').entries()) {
    const read = parseEntry(entry.trim());
    if ('problem' in read)
      return { problem: `must be addresses and networks such as 10.0.0.0/8; entry ${at + 1} ${read.problem}` };
    ranges[read.family].push(read);
  }
  const proxies = { 4: Object.freeze(mergeRanges(ranges[4])), 6: Object.freeze(mergeRanges(ranges[6])) };
  for (const family of [4, 6] as const) {
    if (countAddresses(proxies[family]) > 1n << BigInt(ADDRESS_BITS[family] - 1)) {
      return { problem: `must list your own proxies, such as 10.0.0.0/8; it covers more than half of IPv${family}` };
    }
  }
  return Object.freeze(proxies);
}

/** Whether the address is one of the proxies. */
export function isTrusted({ family, bits }: IpAddress, proxies: TrustedProxies): boolean {
  return proxies[family].some(({ first, last }) => first <= bits && bits <= last);
}

function parseEntry(text: string): (AddressRange & { family: 4 | 6 }) | { problem: string } {
  const [, spelled = '', digits] = /^([^/%]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const address = parseAddress(spelled);
  if (address === null) return { problem: text === '' ? 'is empty' : `is ${quoted(text)}` };
  const { family, bits } = address;
  const width = ADDRESS_BITS[family];
  // A prefix counts bits of the address as written, and a mapped one is written as IPv6.
  const written = spelled.includes(':') ? 128 : 32;
  const prefix = digits === undefined ? width : Number(digits) - (written - width);
  if (prefix < 0 || prefix > width) {
    const least = written - width;
    return { problem: `has a network of /${digits} where /${least} to /${written} would be right` };
  }
  const network = networkAddress(address, prefix);
  if (network.bits !== bits) {
    return { problem: `is ${quoted(text)} where the network is ${addressText(network)}/${prefix}` };
  }
  return { family, first: bits, last: bits + (1n << BigInt(width - prefix)) - 1n };
}

function mergeRanges(ranges: readonly AddressRange[]): AddressRange[] {
  const result: AddressRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = result.at(-1);
    if (before === undefined || range.first > before.last + 1n) result.push(range);
    else if (range.last > before.last) result[result.length - 1] = { first: before.first, last: range.last };
  }
  return result;
}

function countAddresses(ranges: readonly AddressRange[]): bigint {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
