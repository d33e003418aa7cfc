/** What the status page shows: the state of each source, and how many prices count, from one snapshot and the time. */
import { FUELS, type Fuel } from '../../../domain/fuel.ts';
import type { DoubtReason, PriceVerdict } from '../../../domain/prices/price-verdict.ts';
import { MAX_PRICE_AGE_MS } from '../../../domain/prices/price-verdict.ts';
import { LOCATOR_INTERVAL_MS } from '../../../domain/reports/source-kind.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import type { SiteData } from '../../frame/site-data.ts';

/** A source that missed this many collections in a row is late. */
const MISSED_COLLECTIONS = 3;
/** A source whose last delivery is older than its last download by more than this had a reading set aside. */
const SAME_RUN_MS = 1_000;

/**
 * `late` = missed several collections, `silent` = for so long that its prices are withdrawn, `never` = has not
 * delivered yet. `setAside` = a later download was not plausible.
 */
export type SourceState = {
  readonly name: string;
  readonly deliveredAt: number | null;
  readonly downloadedAt: number | null;
  readonly state: 'current' | 'late' | 'silent' | 'never';
  readonly setAside: boolean;
  readonly covers: Coverage;
};

/** The served prices that come from one source, and their stations. */
export type Coverage = { readonly stations: number; readonly prices: number };

/** A station locator, which has addresses, hours and services, and no prices. */
export type LocatorState = { readonly name: string; readonly deliveredAt: number | null; readonly isLate: boolean };

/** The state of each price source in service at the current time. */
export function sourceStates({ snapshot, collectEveryMs, clock }: SiteData): SourceState[] {
  const covered = coverage(snapshot);
  const now = clock();
  return snapshot.sources.map(({ name, deliveredAt, downloadedAt }) => ({
    name,
    deliveredAt,
    downloadedAt,
    state: stateOf(deliveredAt, now, collectEveryMs),
    setAside: downloadedAt !== null && (deliveredAt === null || downloadedAt - deliveredAt > SAME_RUN_MS),
    covers: covered.get(name) ?? { stations: 0, prices: 0 },
  }));
}

/** A locator is collected once a day: one that missed two collections is late. */
const MAX_LOCATOR_AGE_MS = 2 * LOCATOR_INTERVAL_MS;

/** The state of each station locator in service. */
export function locatorStates({ snapshot, clock }: SiteData): LocatorState[] {
  return snapshot.locators.map(({ name, deliveredAt }) => ({
    name,
    deliveredAt,
    isLate: deliveredAt === null || clock() - deliveredAt > MAX_LOCATOR_AGE_MS,
  }));
}

function stateOf(deliveredAt: number | null, now: number, collectEveryMs: number | null): SourceState['state'] {
  if (deliveredAt === null) return 'never';
  const age = now - deliveredAt;
  if (age > MAX_PRICE_AGE_MS) return 'silent';
  return collectEveryMs !== null && age > MISSED_COLLECTIONS * collectEveryMs ? 'late' : 'current';
}

/** Source → what it covers, sources without a health check included. */
export function coverage({ records }: Snapshot): ReadonlyMap<string, Coverage> {
  const stations = new Map<string, Set<string>>();
  const prices = new Map<string, number>();
  for (const { station, verdict } of records) {
    if (verdict.kind !== 'trusted' && verdict.kind !== 'doubtful') continue;
    const { source } = verdict.fact;
    const known = stations.get(source) ?? new Set();
    stations.set(source, known.add(station.id));
    prices.set(source, (prices.get(source) ?? 0) + 1);
  }
  return new Map([...stations].map(([name, ids]) => [name, { stations: ids.size, prices: prices.get(name) ?? 0 }]));
}

export type VerdictKind = PriceVerdict['kind'];

export type VerdictCounts = {
  /** In all, by kind and by reason of doubt. */
  readonly total: number;
  readonly byKind: Readonly<Record<VerdictKind, number>>;
  readonly byReason: Readonly<Record<DoubtReason, number>>;
  /** Only fuels that a station sells. */
  readonly byFuel: ReadonlyMap<Fuel, Readonly<Record<VerdictKind, number>>>;
};

const noVerdicts = (): Record<VerdictKind, number> => ({
  trusted: 0,
  doubtful: 0,
  expired: 0,
  incoherent: 0,
  unknown: 0,
});

/** How many records have each verdict. */
export function countVerdicts({ records }: Snapshot): VerdictCounts {
  const byKind = noVerdicts();
  const byReason: Record<DoubtReason, number> = { orphaned: 0, stale: 0, stuck: 0 };
  const byFuel = new Map<Fuel, Record<VerdictKind, number>>();
  for (const { fuel, verdict } of records) {
    const ofFuel = byFuel.get(fuel) ?? noVerdicts();
    byFuel.set(fuel, ofFuel);
    byKind[verdict.kind] += 1;
    ofFuel[verdict.kind] += 1;
    if (verdict.kind === 'doubtful') byReason[verdict.reason] += 1;
  }
  const inOrder = FUELS.flatMap((fuel) => {
    const counts = byFuel.get(fuel);
    return counts === undefined ? [] : [[fuel, counts] as const];
  });
  return { total: records.length, byKind, byReason, byFuel: new Map(inOrder) };
}
