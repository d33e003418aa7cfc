/**
 * Looks up names that strangers give: those of webhooks and push subscriptions. `dns.lookup` runs two look-ups at once
 * for the whole process, and nothing ends one early: a few names whose servers are silent keep all others waiting.
 * These are queries without a thread, which end in time. Whoever causes them bounds their number: a key has
 * `WEBHOOK_LIMITS.ping` tests an hour, deliveries have places, push services connections.
 */
import { ADDRCONFIG, type LookupAddress, type LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import os from 'node:os';
import { returnPublic } from './private-address.ts';
import { codeOf } from './request-failure.ts';

type UntrustedLookupOptions = {
  /** `address:port` of the name servers; `null` = the system's. */
  readonly servers?: readonly string[] | null;
  /** Time limit of one look-up, all its queries together. */
  readonly timeoutMs?: number;
};

type Family = 4 | 6;

const LOOKUP_TIMEOUT_MS = 5_000;
/** Packets get lost, and name servers fail: each query goes to each server twice, as far as the time allows. */
const QUERY_TRIES = { timeout: 2_000, tries: 2 };
/** Means this machine, without asking anybody. Source: RFC 6761, 6.3. */
const LOCALHOST = /(^|\.)localhost\.?$/i;
/** These say that a name has no address; all other errors say nothing about the name. */
const UNKNOWN_NAME_CODES = ['ENOTFOUND', 'ENODATA', 'EBADNAME'];

/**
 * Creates a replacement of `dns.lookup` that never returns a private address, takes no thread and does not read
 * `/etc/hosts`. Its errors have the code `PRIVATE_ADDRESS`, `ENOTFOUND` = the name has no address, or `EAI_AGAIN` = the
 * name servers failed or did not answer in time.
 */
export function createUntrustedLookup(lookupOptions: UntrustedLookupOptions = {}): LookupFunction {
  const { servers = null, timeoutMs = LOOKUP_TIMEOUT_MS } = lookupOptions;
  return (host, options, callback) => {
    void resolve(host, familiesFor(options), { servers, timeoutMs }).then(
      (addresses) => returnPublic(addresses, options, callback),
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

/** IPv4 first. With `ADDRCONFIG`, which sockets set, without a family in which this machine has no address. */
function familiesFor({ family, hints = 0 }: LookupOptions): readonly Family[] {
  if (family === 4 || family === 'IPv4') return [4];
  if (family === 6 || family === 'IPv6') return [6];
  const own = Object.values(os.networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const reaching = own.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const found = ([4, 6] as const).filter((each) => reaching.some((address) => address.family === `IPv${each}`));
  return (hints & ADDRCONFIG) === 0 || found.length === 0 ? [4, 6] : found;
}

/** The addresses of a name, at least one. */
async function resolve(
  host: string,
  families: readonly Family[],
  { servers, timeoutMs }: Required<UntrustedLookupOptions>,
): Promise<LookupAddress[]> {
  const literal = isIP(host);
  if (literal !== 0) return [{ address: host, family: literal }];
  if (LOCALHOST.test(host)) return [{ address: '127.0.0.1', family: 4 }];
  // One resolver per look-up, so that cancelling it affects no other.
  const resolver = new Resolver(QUERY_TRIES);
  if (servers !== null) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
  const answers = await Promise.allSettled([
    ...(families.includes(4) ? [resolver.resolve4(host)] : []),
    ...(families.includes(6) ? [resolver.resolve6(host)] : []),
  ]);
  clearTimeout(deadline);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map((address) => ({ address, family: isIP(address) }));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
  const isUnknown = failures.every((code) => UNKNOWN_NAME_CODES.includes(code));
  const code = isUnknown ? 'ENOTFOUND' : 'EAI_AGAIN';
  throw Object.assign(new Error(`${code} ${host}`), { code });
}
