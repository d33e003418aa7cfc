/** The rows of stations and current prices: only what the allowed sources say. */
import { bucharestDay } from '../../domain/days.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { PublishedFacts } from '../../domain/prices/facts.ts';
import { descriptionRank } from '../../domain/reports/source-kind.ts';
import { describeStations, type SourceStation } from '../../domain/stations/source-station.ts';
import type { CurrentPrice } from '../../dumps/tables/current-price-table.ts';
import type { DumpedStation } from '../../dumps/tables/station-table.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { createStationPlacer } from '../../snapshot/station-placer.ts';

export type StationFacts = {
  readonly sourceStations: readonly SourceStation[];
  /** When an allowed source first named each station, epoch ms. */
  readonly firstSeen: ReadonlyMap<string, number>;
  readonly prices: PublishedFacts['prices'];
};

/** The stations that allowed sources describe, by id; each as these alone describe it. */
export function dumpedStations(
  { sourceStations, firstSeen, prices }: StationFacts,
  allowed: ReadonlySet<string>,
  gazetteer: Gazetteer,
): DumpedStation[] {
  const own = sourceStations.filter(({ source }) => allowed.has(source));
  const byStation = Map.groupBy(own, ({ station }) => station);
  const lastSeen = lastSeenOf(prices.filter(({ source }) => allowed.has(source)));
  const place = createStationPlacer(gazetteer);
  return describeStations(own).map((described) => {
    const { served, city } = place(described);
    const told = byStation.get(described.id) ?? [];
    return {
      station: served,
      isPlaced: !served.approximateCoordinates || city !== undefined,
      source: bestSource(told),
      sourceKeys: told.map(({ source, key }) => `${source}:${key}`).sort(),
      firstSeen: dayOf(firstSeen.get(described.id)),
      lastSeen: dayOf(lastSeen.get(described.id)),
    };
  });
}

/** The prices that a snapshot shows and that come from allowed sources, by station and fuel. */
export function currentPrices(
  { records }: Snapshot,
  stations: readonly DumpedStation[],
  allowed: ReadonlySet<string>,
): CurrentPrice[] {
  const shown = Map.groupBy(records, ({ station }) => station.id);
  return stations.flatMap(({ station, isPlaced }) =>
    (shown.get(station.id) ?? []).flatMap(({ fuel, verdict }): CurrentPrice[] => {
      if (verdict.kind !== 'trusted' && verdict.kind !== 'doubtful') return [];
      return allowed.has(verdict.fact.source) ? [{ station, isPlaced, fuel, verdict }] : [];
    }),
  );
}

/** The source whose name and network `describeStation` takes. */
function bestSource(told: readonly SourceStation[]): string {
  const [best] = told.toSorted((a, b) => descriptionRank(a.source) - descriptionRank(b.source) || b.seenAt - a.seenAt);
  return best?.source ?? '';
}

/** When a source last had any fuel of each station, epoch ms. */
function lastSeenOf(prices: PublishedFacts['prices']): Map<string, number> {
  const last = new Map<string, number>();
  for (const { station, readAt, missingSince } of prices)
    last.set(station, Math.max(last.get(station) ?? 0, missingSince ?? readAt));
  return last;
}

function dayOf(at: number | undefined): string | null {
  return at === undefined ? null : bucharestDay(at);
}
