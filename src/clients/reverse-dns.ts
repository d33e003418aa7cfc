/** Forward-confirmed reverse DNS: checks whether an address belongs to a crawler's operator (rule 8). */
import { Resolver } from 'node:dns/promises';
import { BoundedMap } from '../concurrency/bounded-map.ts';
import { SingleFlight } from '../concurrency/single-flight.ts';
import type { DnsSuffix } from '../domain/access/crawlers.ts';
import { addressText, type IpAddress, parseAddress } from '../domain/access/ip-address.ts';

export type ReverseDnsOptions = {
  /** `address:port` of the name servers; `null` = the system's. */
  readonly servers: readonly string[] | null;
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock?: () => number;
  /** Time limit of one look-up, all its queries together. */
  readonly timeoutMs?: number;
};

export type ReverseDns = {
  /**
   * Whether the address has a name below one of the suffixes (`.googlebot.com`) that leads back to it. Any failure
   * is `false`; it never rejects. Verdicts are kept for a while, each for its address and suffixes.
   */
  confirms(address: string, suffixes: readonly DnsSuffix[]): Promise<boolean>;
};

type ReverseDnsVerdict = keyof typeof VERDICT_TTL_MS;

const VERDICT_TTL_MS = { confirmed: 86_400_000, refuted: 3_600_000, unanswered: 60_000 } as const;
/** How the verdicts on several names of one address combine: one that leads back is enough. */
const BEST_FIRST: readonly ReverseDnsVerdict[] = ['confirmed', 'unanswered'];
const TIMEOUT_MS = 500;
const MOST_AT_ONCE = 32;
const MOST_VERDICTS = 10_000;
/** Names looked up per address; an operator gives one. */
const MOST_NAMES = 4;

/** Creates a resolver with its own cache. */
export function createReverseDns(options: ReverseDnsOptions): ReverseDns {
  const { servers, clock = () => performance.now(), timeoutMs = TIMEOUT_MS } = options;
  const verdicts = new BoundedMap<{ readonly confirmed: boolean; readonly until: number }>(MOST_VERDICTS);
  const inFlight = new SingleFlight<boolean>();

  const remember = (key: string, verdict: ReverseDnsVerdict) => {
    verdicts.set(key, { confirmed: verdict === 'confirmed', until: clock() + VERDICT_TTL_MS[verdict] });
  };
  const lookUp = async (key: string, address: IpAddress, suffixes: readonly DnsSuffix[]) => {
    const verdict = await judge(address, suffixes, { servers, timeoutMs });
    remember(key, verdict);
    return verdict === 'confirmed';
  };
  return {
    confirms: async (text, suffixes) => {
      const address = parseAddress(text);
      if (address === null || suffixes.length === 0) return false;
      const key = `${addressText(address)} ${suffixes.join(' ')}`;
      const known = verdicts.get(key);
      if (known !== undefined && clock() < known.until) return known.confirmed;
      const asked = inFlight.get(key);
      if (asked !== undefined) return asked;
      if (inFlight.size >= MOST_AT_ONCE) return false;
      return inFlight.start(key, () => lookUp(key, address, suffixes));
    },
  };
}

/** Looks up the address's names, then the addresses of those below a suffix. */
async function judge(
  address: IpAddress,
  suffixes: readonly DnsSuffix[],
  { servers, timeoutMs }: Required<Pick<ReverseDnsOptions, 'servers' | 'timeoutMs'>>,
): Promise<ReverseDnsVerdict> {
  let deadline: NodeJS.Timeout | undefined;
  try {
    // One resolver per look-up, so that cancelling it affects no other.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== null) resolver.setServers(servers);
    // The resolver's own time-out may take twice as long as set (nodejs/node#65340) and applies to each query.
    deadline = setTimeout(() => resolver.cancel(), timeoutMs);
    const names = (await resolver.resolvePtr(reverseName(address))).map((name) => name.toLowerCase());
    const matching = names.filter((name) => isBelow(name, suffixes)).slice(0, MOST_NAMES);
    const verdicts = await Promise.all(matching.map((name) => confirmForward(resolver, name, address)));
    return BEST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'refuted';
  } catch (error) {
    return verdictOfError(error);
  } finally {
    clearTimeout(deadline);
  }
}

async function confirmForward(resolver: Resolver, name: string, address: IpAddress): Promise<ReverseDnsVerdict> {
  try {
    const found = await (address.family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
    return found.some((text) => isSame(parseAddress(text), address)) ? 'confirmed' : 'refuted';
  } catch (error) {
    return verdictOfError(error);
  }
}

function isSame(a: IpAddress | null, b: IpAddress): boolean {
  return a !== null && a.family === b.family && a.bits === b.bits;
}

/** A missing name or record is an answer; all other errors say nothing about the name. */
function verdictOfError(error: unknown): ReverseDnsVerdict {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'ENODATA' ? 'refuted' : 'unanswered';
}

/** Rejects names that are not valid host names: an escaped dot in a label is not a boundary. */
function isBelow(name: string, suffixes: readonly DnsSuffix[]): boolean {
  return /^[a-z0-9_.-]+$/.test(name) && suffixes.some((suffix) => name.endsWith(suffix));
}

/** `1.2.3.4` → `4.3.2.1.in-addr.arpa`; IPv6 likewise by its 32 digits. */
function reverseName({ family, bits }: IpAddress): string {
  if (family === 4) return `${addressText({ family, bits }).split('.').reverse().join('.')}.in-addr.arpa`;
  return `${[...bits.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`;
}
