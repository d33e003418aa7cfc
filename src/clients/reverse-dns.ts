/** Forward-confirmed reverse DNS: checks whether an address belongs to a crawler's operator (rule 8). */
import { Resolver } from 'node:dns/promises';
import { BoundedMap } from '../concurrency/bounded-map.ts';
import { FairSemaphore, type ReleaseSlot, type SemaphoreClient } from '../concurrency/fair-semaphore.ts';
import { SingleFlight } from '../concurrency/single-flight.ts';
import { TokenBuckets } from '../concurrency/token-buckets.ts';
import { clientNetwork } from '../domain/access/client-network.ts';
import type { DnsSuffix } from '../domain/access/crawlers.ts';
import { addressText, type IpAddress, networkAddress, parseAddress } from '../domain/access/ip-address.ts';

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
   * Whether the address has a name below one of the suffixes (`.googlebot.com`) that resolves to it. Any failure
   * is `false`, and so is a look-up beyond the share of the address's network; it never rejects. Verdicts are kept for
   * a while, each for its address and suffixes.
   */
  confirms(address: string, suffixes: readonly DnsSuffix[]): Promise<boolean>;
};

type ReverseDnsVerdict = keyof typeof VERDICT_TTL_MS;

const VERDICT_TTL_MS = { confirmed: 86_400_000, refuted: 3_600_000, unanswered: 60_000 } as const;
/** How the verdicts on several names of one address combine: one that resolves to it is enough. */
const BEST_FIRST: readonly ReverseDnsVerdict[] = ['confirmed', 'unanswered'];
const LOOKUP_TIMEOUT_MS = 500;
/**
 * Look-ups under way at once: of everybody, of one client (/24, IPv6: /64) and of one network (/24, /48). The others
 * wait for their turn, as long as a look-up may take.
 */
const LOOKUPS = { slots: 32, slotsPerClient: 2, slotsPerNetwork: 4, maxWaiting: 64, maxWaitingPerClient: 8 };
/**
 * Look-ups of the addresses of one bucket: `burst` at once, then 128 an hour. The crawlers of a search operator have at
 * most 256 addresses in it, each confirmed once a day.
 */
const BUCKET_RATE = { burst: 64, perSecond: 128 / 3_600 };
const MAX_CLIENTS = 10_000;
/** Verdicts kept: the others, which any client can cause, cannot evict those that confirm an address. */
const MAX_CONFIRMED = 5_000;
const MAX_OTHERS = 10_000;
/** Names looked up per address; an operator gives one. */
const MOST_NAMES = 4;
/** Addresses with this prefix in common share a bucket: whoever has one of them can use all. */
const BUCKET_PREFIX = { 4: 24, 6: 64 } as const;

/** Creates a resolver with its own cache. */
export function createReverseDns(options: ReverseDnsOptions): ReverseDns {
  const { servers, clock = () => performance.now(), timeoutMs = LOOKUP_TIMEOUT_MS } = options;
  const verdicts = new VerdictCache(clock);
  const inFlight = new SingleFlight<boolean>();
  const slots = new FairSemaphore(LOOKUPS);
  const rates = new TokenBuckets({ ...BUCKET_RATE, maxKeys: MAX_CLIENTS, clock });

  const lookUp = async (key: string, address: IpAddress, suffixes: readonly DnsSuffix[]) => {
    const who = lookupBucket(address);
    const release = rates.tryTake(who.client) ? await slotWithin(timeoutMs, slots, who) : null;
    if (release === null) return false;
    try {
      const verdict = await judge(address, suffixes, { servers, timeoutMs });
      verdicts.set(key, verdict);
      return verdict === 'confirmed';
    } finally {
      release();
    }
  };
  return {
    confirms: async (text, suffixes) => {
      const address = parseAddress(text);
      if (address === null || suffixes.length === 0) return false;
      const key = `${addressText(address)} ${suffixes.join(' ')}`;
      return verdicts.get(key) ?? inFlight.get(key) ?? inFlight.start(key, () => lookUp(key, address, suffixes));
    },
  };
}

function lookupBucket(address: IpAddress): SemaphoreClient {
  const prefix = BUCKET_PREFIX[address.family];
  const client = `${addressText(networkAddress(address, prefix))}/${prefix}`;
  return { client, network: clientNetwork(client) };
}

async function slotWithin(ms: number, slots: FairSemaphore, who: SemaphoreClient): Promise<ReleaseSlot | null> {
  const waiting = new AbortController();
  const deadline = setTimeout(() => waiting.abort(), ms);
  try {
    return await slots.acquire(who, waiting.signal);
  } finally {
    clearTimeout(deadline);
  }
}

type CachedVerdict = { readonly isConfirmed: boolean; readonly until: number };

/** Verdicts by address and suffixes, each for its time. */
class VerdictCache {
  readonly #confirmed = new BoundedMap<CachedVerdict>(MAX_CONFIRMED);
  readonly #others = new BoundedMap<CachedVerdict>(MAX_OTHERS);
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** Whether the address is confirmed; `undefined` = not known. */
  get(key: string): boolean | undefined {
    const known = this.#confirmed.get(key) ?? this.#others.get(key);
    return known !== undefined && this.#clock() < known.until ? known.isConfirmed : undefined;
  }

  set(key: string, verdict: ReverseDnsVerdict): void {
    const isConfirmed = verdict === 'confirmed';
    const [into, from] = isConfirmed ? [this.#confirmed, this.#others] : [this.#others, this.#confirmed];
    from.delete(key);
    into.set(key, { isConfirmed, until: this.#clock() + VERDICT_TTL_MS[verdict] });
  }
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
