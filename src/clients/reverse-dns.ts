/** Forward-confirmed reverse DNS: whether an address is what its operator says it is (rule 8). */
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
  /** What one look-up may take, all its questions together. */
  readonly timeoutMs?: number;
};

export type ReverseDns = {
  /**
   * Whether the address has a name below one of the suffixes (`.googlebot.com`) that leads back to it. Whatever fails
   * is `false`; it never rejects. Verdicts are kept for a while, each for its address and suffixes.
   */
  confirms(address: string, suffixes: readonly DnsSuffix[]): Promise<boolean>;
};

type ReverseDnsVerdict = keyof typeof VERDICT_TTL_MS;

const VERDICT_TTL_MS = { confirmed: 86_400_000, refuted: 3_600_000, unanswered: 60_000 } as const;
/** What several names of one address make together: one that leads back is enough. */
const BEST_FIRST: readonly ReverseDnsVerdict[] = ['confirmed', 'unanswered'];
const TIMEOUT_MS = 500;
const MOST_AT_ONCE = 32;
const MOST_VERDICTS = 10_000;
/** Of the names of one address, as many as are looked up; an operator gives one. */
const MOST_NAMES = 4;

/** A resolver with a memory of its own. */
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

/** Asks for the address's names, then for the addresses of those that are below a suffix. */
async function judge(
  address: IpAddress,
  suffixes: readonly DnsSuffix[],
  { servers, timeoutMs }: Required<Pick<ReverseDnsOptions, 'servers' | 'timeoutMs'>>,
): Promise<ReverseDnsVerdict> {
  let deadline: NodeJS.Timeout | undefined;
  try {
    // One resolver a look-up: what it remembers and what is cancelled is nobody else's.
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (servers !== null) resolver.setServers(servers);
    // Its own time-out may take twice as long as it is told (nodejs/node#65340), and counts for each question.
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

/** That there is no such name or record is an answer; all other errors say nothing of the name. */
function verdictOfError(error: unknown): ReverseDnsVerdict {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOTFOUND' || code === 'ENODATA' ? 'refuted' : 'unanswered';
}

/** Names that could be no host's are below nothing: an escaped dot in a label is no boundary. */
function isBelow(name: string, suffixes: readonly DnsSuffix[]): boolean {
  return /^[a-z0-9_.-]+$/.test(name) && suffixes.some((suffix) => name.endsWith(suffix));
}

/** `1.2.3.4` → `4.3.2.1.in-addr.arpa`; IPv6 likewise by its 32 digits. */
function reverseName({ family, bits }: IpAddress): string {
  if (family === 4) return `${addressText({ family, bits }).split('.').reverse().join('.')}.in-addr.arpa`;
  return `${[...bits.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`;
}
