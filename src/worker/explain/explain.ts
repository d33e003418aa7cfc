/** Explains where a served price comes from: every fact, its age, its own verdict, and the rule that chose it. */

import { bucharestDay, dayNumber } from '../../domain/days.ts';
import { FUELS, type Fuel, isInRange, STANDARD_GRADE_OF } from '../../domain/fuel.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import type { PublishedFacts, StoredPrice } from '../../domain/prices/facts.ts';
import {
  byTrust,
  isOnMap,
  type JudgingContext,
  judgeFuel,
  type PriceVerdict,
  type StuckPriceDetector,
  verdictCode,
} from '../../domain/prices/price-verdict.ts';
import type { SourceStation } from '../../domain/stations/source-station.ts';
import type { Station } from '../../domain/stations/station.ts';
import { buildSnapshot, servedFacts, stuckPriceDetectors } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { readFacts } from '../../store/prices/packed-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';
import { findStationBySourceKey, loadSourceStations } from '../../store/prices/stations.ts';

/** The verdict that a fact would get if no other source had one. */
export type FactVerdict =
  | Extract<PriceVerdict, { kind: 'trusted' | 'doubtful' | 'expired' }>
  /** The row has no usable price, or one outside the valid range. */
  | { readonly kind: 'no_price' | 'out_of_range' }
  /** An orphan's price is withdrawn after 30 days, its record after 90; a record of another source at once. Rule 26. */
  | { readonly kind: 'orphan_withdrawn' | 'withdrawn_from_map' }
  /** The source is not in `SOURCES`. */
  | { readonly kind: 'not_in_service' }
  /** A locator's record of a station that another source has records of. */
  | { readonly kind: 'redundant_locator_record' };

export type ExplainedFact = {
  readonly fact: StoredPrice;
  readonly verdict: FactVerdict;
  /** Whether this is the price that is served. */
  readonly chosen: boolean;
};

export type Explanation = {
  readonly station: Station;
  readonly fuel: Fuel;
  /** What is served; `null` = no record, since no fact counts. */
  readonly record: StationRecord | null;
  /** What the rules chose before premium and standard were compared. */
  readonly choice: PriceVerdict;
  /** The record of the standard fuel that a premium one is compared with. */
  readonly standardVerdict: PriceVerdict | null;
  /** In order of precedence. */
  readonly facts: readonly ExplainedFact[];
};

export type ExplainedStation = {
  readonly station: Station;
  /** The sources' keys for it, such as `register:R1009`. */
  readonly names: readonly string[];
  readonly fuels: readonly Explanation[];
};

/** Explains the records of the station with that id or `source:key`; `null` if there is none. */
export async function explain(
  database: Database<Schema>,
  settings: CollectionSettings,
  name: string,
  now: number,
): Promise<ExplainedStation | null> {
  const { facts, sourceStations, named } = await inReadSnapshot(database.kysely, async (tx) => ({
    facts: await readFacts(tx),
    sourceStations: await loadSourceStations(tx),
    named: await findStationBySourceKey(tx, name),
  }));
  const station = facts.stations.find(({ id }) => id === name || id === named);
  if (station === undefined) return null;
  const names = sourceStations.filter((sourceStation) => sourceStation.station === station.id).map(nameOf);
  return { station, names, fuels: explainStation(facts, settings, station, now) };
}

const nameOf = ({ source, key }: SourceStation) => `${source}:${key}`;

/**
 * The name of a fact's verdict in `--json` output, where some kinds keep the names that scripts know since the first
 * version.
 */
export function factVerdictCode(kind: FactVerdict['kind']): string {
  if (kind === 'withdrawn_from_map') return 'off_map';
  return kind === 'redundant_locator_record' ? 'idle_pin' : verdictCode(kind);
}

/** Explains every fuel that any source ever reported at a station, in the contract's order. */
export function explainStation(
  facts: PublishedFacts,
  settings: CollectionSettings,
  station: Station,
  now: number,
): Explanation[] {
  const { records } = buildSnapshot({ ...settings, facts, now, history: new PriceHistory() });
  const served = servedFacts({ facts, now, inService: settings.inService });
  const detectors = stuckPriceDetectors(served, facts.stations, now);
  const detector: StuckPriceDetector = {
    isStuck: (fact) => detectors(fact as StoredPrice, station.network).isStuck(fact),
  };
  const context: JudgingContext = { now, today: dayNumber(bucharestDay(now)), ranges: settings.ranges };
  const own = facts.prices.filter((fact) => fact.station === station.id);
  const recordOf = (fuel: Fuel) => records.find((record) => record.station.id === station.id && record.fuel === fuel);
  return FUELS.flatMap((fuel): Explanation[] => {
    const ofFuel = own.filter((fact) => fact.fuel === fuel).sort(byTrust);
    if (ofFuel.length === 0) return [];
    const servedOfFuel = ofFuel.filter((fact) => served.includes(fact));
    const choice = judgeFuel([...servedOfFuel], detector, context);
    const explained = ofFuel.map((fact) => ({
      fact,
      verdict: verdictOf(fact, served, settings, detector, context),
      chosen: 'fact' in choice && choice.fact === fact,
    }));
    const standard = STANDARD_GRADE_OF[fuel];
    const compared = (standard && recordOf(standard)?.verdict) ?? null;
    return [{ station, fuel, record: recordOf(fuel) ?? null, choice, standardVerdict: compared, facts: explained }];
  });
}

function verdictOf(
  fact: StoredPrice,
  served: readonly StoredPrice[],
  { inService, ranges }: CollectionSettings,
  detector: StuckPriceDetector,
  context: JudgingContext,
): FactVerdict {
  if (inService !== null && fact.source !== 'manual' && !inService.includes(fact.source)) {
    return { kind: 'not_in_service' };
  }
  if (!isOnMap(fact, context.now)) return { kind: 'withdrawn_from_map' };
  if (!served.includes(fact)) return { kind: 'redundant_locator_record' };
  if (fact.price === null) return { kind: 'no_price' };
  if (!isInRange(fact.price, fact.fuel, ranges)) return { kind: 'out_of_range' };
  const ownVerdict = judgeFuel([fact], detector, context);
  if (ownVerdict.kind === 'trusted' || ownVerdict.kind === 'doubtful' || ownVerdict.kind === 'expired')
    return ownVerdict;
  return { kind: 'orphan_withdrawn' };
}
