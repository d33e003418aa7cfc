/** Where a served price comes from: every fact on it, its age, its verdict, and the rule that chose. */
import { dayText, isoInstant } from '../domain/days.ts';
import type { StationFact } from '../domain/facts.ts';
import { inRange } from '../domain/fuel.ts';
import { type PriceFact, silentAfter, type Verdict } from '../domain/quality.ts';
import { sourceRank } from '../domain/source-kind.ts';
import { buildSnapshot } from '../snapshot/build.ts';
import { History } from '../snapshot/history.ts';
import type { StationRecord } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import { atOneMoment, loadFacts } from '../store/publication.ts';
import type { Schema } from '../store/schema.ts';
import { stationNamed } from '../store/stations.ts';
import type { Rules } from './days.ts';

export type Explanation = {
  readonly record: StationRecord;
  /** What is served, in words. */
  readonly served: string;
  /** One line a source, most believed first. */
  readonly facts: readonly { readonly source: string; readonly price: number | null; readonly text: string }[];
};

/** Explains the records of one station; `null` when no station has that id (or `source:key` name). */
export async function explain(
  database: Database<Schema>,
  rules: Rules,
  name: string,
  now: number,
): Promise<Explanation[] | null> {
  const facts = await atOneMoment(database.kysely, loadFacts);
  const id = facts.stations.some((station) => station.id === name) ? name : await byName(database, name);
  if (id === null) return null;
  const { records } = buildSnapshot({ ...rules, facts, now, history: new History() });
  return records
    .filter(({ station }) => station.id === id)
    .map((record) => {
      const own = facts.prices.filter(({ station, fuel }) => station === id && fuel === record.fuel);
      const ranked = own.toSorted((a, b) => sourceRank(a.source) - sourceRank(b.source));
      return {
        record,
        served: servedText(record.verdict),
        facts: ranked.map((fact) => ({
          source: fact.source,
          price: fact.price,
          text: factText(fact, record.verdict, rules, now),
        })),
      };
    });
}

/** `source:key` → station id. */
function byName({ kysely }: Database<Schema>, name: string): Promise<string | null> {
  const colon = name.indexOf(':');
  return stationNamed(kysely, name.slice(0, Math.max(colon, 0)), name.slice(colon + 1));
}

function servedText(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'relied':
      return `${ron(verdict.price)} from ${verdict.fact.source}: the most believed source with a price that is relied on`;
    case 'doubtful':
      return `${ron(verdict.price)} from ${verdict.fact.source}, not relied on: ${doubt(verdict)}`;
    case 'expired':
      return 'no price: every source that had one has been silent for more than 24 hours';
    case 'incoherent':
      return 'no price: the premium fuel was below the standard one at the same station';
    case 'unknown':
      return 'no price: no source gives a valid one';
  }
}

function doubt(verdict: Extract<Verdict, { kind: 'doubtful' }>): string {
  const since = verdict.since === null ? '' : dayText(verdict.since);
  const reasons = {
    orphaned: 'a complete sweep of its area no longer has it',
    stale: `the source's own date is at least 7 days old (${since})`,
    stuck: `unchanged since ${since} while at least half of the brand's other stations changed`,
  };
  return reasons[verdict.reason];
}

function factText(fact: StationFact, verdict: Verdict, rules: Rules, now: number): string {
  const parts = [
    fact.price === null ? 'no usable price' : ron(fact.price),
    fact.observed === null
      ? 'no date given'
      : `observed ${fact.observed.at === null ? fact.observed.day : isoInstant(fact.observed.at)}`,
    `unchanged since ${dayText(fact.sinceDay)}`,
    `unit ${fact.unit} last read ${hours(now - fact.readAt)} ago`,
    ...withheld(fact, rules, now),
  ];
  const chosen = (verdict.kind === 'relied' || verdict.kind === 'doubtful') && verdict.fact === fact;
  return `${chosen ? 'CHOSEN: ' : ''}${parts.join(', ')}`;
}

function withheld(fact: PriceFact, { ranges, inService }: Rules, now: number): string[] {
  const why: string[] = [];
  if (fact.price !== null && !inRange(fact.price, fact.fuel, ranges)) why.push('outside the valid range');
  if (now > silentAfter(fact)) why.push('silent for more than 24 hours');
  if (fact.missingSince !== null) why.push(`missing since ${isoInstant(fact.missingSince)}`);
  if (inService !== null && fact.source !== 'manual' && !inService.includes(fact.source))
    why.push('source not in service');
  return why;
}

function ron(milli: number): string {
  return `${(milli / 1000).toFixed(milli % 10 === 0 ? 2 : 3)} RON/l`;
}

function hours(ms: number): string {
  return `${(ms / 3_600_000).toFixed(1)} h`;
}
