/** Explains where a served price comes from: every fact, its age, its own verdict, and the rule that chose. */

import { bucharestDay, dayNumber } from '../../domain/days.ts';
import { FUELS, type Fuel, isInRange, STANDARD_GRADE_OF } from '../../domain/fuel.ts';
import type { PublishedFacts, StoredPrice } from '../../domain/prices/facts.ts';
import {
  type BrandMovement,
  byTrust,
  isOnMap,
  type JudgingContext,
  judgeFuel,
  type PriceVerdict,
} from '../../domain/prices/price-verdict.ts';
import type { PricingRules } from '../../domain/prices/rules.ts';
import type { Alias } from '../../domain/stations/alias.ts';
import type { Station } from '../../domain/stations/station.ts';
import { brandMovements, buildSnapshot, servedFacts } from '../../snapshot/build.ts';
import { PriceHistory } from '../../snapshot/history.ts';
import type { StationRecord } from '../../snapshot/snapshot.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { inReadSnapshot, loadFacts } from '../../store/prices/publication.ts';
import { findStationByAlias, loadAliases } from '../../store/prices/stations.ts';

/** The verdict that a fact would get if no other source had one. */
export type FactVerdict =
  | Extract<PriceVerdict, { kind: 'trusted' | 'doubtful' | 'expired' }>
  /** The row has no usable price, or one outside the valid range. */
  | { readonly kind: 'no_price' | 'out_of_range' }
  /**
   * An orphan's price is withdrawn after 30 days, its pin goes after 90, of another source than the register at once.
   */
  | { readonly kind: 'orphan_withdrawn' | 'off_map' }
  /** The source is not in `SOURCES`. */
  | { readonly kind: 'not_in_service' }
  /** A locator's pin of a station that another source knows. */
  | { readonly kind: 'idle_pin' };

export type ExplainedFact = {
  readonly fact: StoredPrice;
  readonly verdict: FactVerdict;
  /** Whether this is the price that is served. */
  readonly chosen: boolean;
};

export type Explanation = {
  readonly station: Station;
  readonly fuel: Fuel;
  /** What is served; `null` = no record, since no fact has a say. */
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
  /** The sources' names for it: `register:R1009`. */
  readonly names: readonly string[];
  readonly fuels: readonly Explanation[];
};

/** Explains the records of one station; `null` if no station has that id (or `source:key` name). */
export async function explain(
  database: Database<Schema>,
  rules: PricingRules,
  name: string,
  now: number,
): Promise<ExplainedStation | null> {
  const { facts, aliases, named } = await inReadSnapshot(database.kysely, async (tx) => ({
    facts: await loadFacts(tx),
    aliases: await loadAliases(tx),
    named: await findStationByAlias(tx, name),
  }));
  const station = facts.stations.find(({ id }) => id === name || id === named);
  if (station === undefined) return null;
  const names = aliases.filter((alias) => alias.station === station.id).map(nameOf);
  return { station, names, fuels: explainStation(facts, rules, station, now) };
}

const nameOf = ({ source, key }: Alias) => `${source}:${key}`;

/** Explains every fuel that any source ever reported at a station, in the contract's order. */
export function explainStation(
  facts: PublishedFacts,
  rules: PricingRules,
  station: Station,
  now: number,
): Explanation[] {
  const { records } = buildSnapshot({ ...rules, facts, now, history: new PriceHistory() });
  const served = servedFacts({ facts, now, inService: rules.inService });
  const movements = brandMovements(served, facts.stations, now);
  const movement: BrandMovement = {
    isStuck: (fact) => movements(fact as StoredPrice, station.network).isStuck(fact),
  };
  const context: JudgingContext = { now, today: dayNumber(bucharestDay(now)), ranges: rules.ranges };
  const own = facts.prices.filter((fact) => fact.station === station.id);
  const recordOf = (fuel: Fuel) => records.find((record) => record.station.id === station.id && record.fuel === fuel);
  return FUELS.flatMap((fuel): Explanation[] => {
    const ofFuel = own.filter((fact) => fact.fuel === fuel).sort(byTrust);
    if (ofFuel.length === 0) return [];
    const servedOfFuel = ofFuel.filter((fact) => served.includes(fact));
    const choice = judgeFuel([...servedOfFuel], movement, context);
    const explained = ofFuel.map((fact) => ({
      fact,
      verdict: verdictOf(fact, served, rules, movement, context),
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
  { inService, ranges }: PricingRules,
  movement: BrandMovement,
  context: JudgingContext,
): FactVerdict {
  if (inService !== null && fact.source !== 'manual' && !inService.includes(fact.source)) {
    return { kind: 'not_in_service' };
  }
  if (!isOnMap(fact, context.now)) return { kind: 'off_map' };
  if (!served.includes(fact)) return { kind: 'idle_pin' };
  if (fact.price === null) return { kind: 'no_price' };
  if (!isInRange(fact.price, fact.fuel, ranges)) return { kind: 'out_of_range' };
  const ownVerdict = judgeFuel([fact], movement, context);
  if (ownVerdict.kind === 'trusted' || ownVerdict.kind === 'doubtful' || ownVerdict.kind === 'expired')
    return ownVerdict;
  return { kind: 'orphan_withdrawn' };
}
