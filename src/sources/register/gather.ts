/** Brings the units' rows together: each station once, and one reading a station and fuel. */
import type { Reading, Rejections, StationFacts } from '../../domain/reports/observation.ts';
import { unitKey } from '../source.ts';
import { type PriceFact, type Refusal, stationKey, type Understood } from './parsing/parse-rows.ts';
import type { Task } from './requests/sweep-plan.ts';

/** What was found for one task. `around` comes from searches around points and may show other units' stations. */
export type Found = {
  readonly task: Task;
  readonly own: readonly Understood[];
  readonly around: readonly Understood[];
};

/** All stations and readings, the same whatever the order in which the answers came. */
export function gather(
  found: readonly Found[],
  swept: ReadonlySet<number>,
): { stations: StationFacts[]; readings: Reading[] } {
  const gathered = new Gathering();
  for (const { task, around } of found) {
    for (const { stations, prices } of around) {
      for (const station of stations) gathered.addStation(station);
      for (const fact of prices) gathered.addPrice(fact, task, unitOf(fact, task, swept), 0);
    }
  }
  for (const { task, own } of found) {
    for (const { stations, prices } of own) {
      for (const station of stations) gathered.addStation(station);
      for (const fact of prices) gathered.addPrice(fact, task, task.key, fact.station.siruta === task.siruta ? 2 : 1);
    }
  }
  return {
    stations: [...gathered.stations.values()],
    readings: [...gathered.readings.values()].map(({ reading }) => reading),
  };
}

/** Counts what was refused in one unit's answers; a row seen again in another part of the same unit counts once. */
export function countRefusals(answers: readonly Understood[], rejections: Rejections): void {
  const most = new Map<string, { refusal: Refusal; times: number }>();
  for (const { refusals } of answers) {
    for (const [key, same] of Map.groupBy(refusals, ({ reason, sample }) => `${reason} ${JSON.stringify(sample)}`)) {
      const refusal = same[0];
      if (refusal && same.length > (most.get(key)?.times ?? 0)) most.set(key, { refusal, times: same.length });
    }
  }
  for (const { refusal, times } of most.values()) rejections.add(refusal.reason, refusal.sample, times);
}

/** A station found around a point belongs to its own unit, where that one is swept at all. */
function unitOf({ station: { siruta } }: PriceFact, task: Task, swept: ReadonlySet<number>): string {
  return siruta !== null && swept.has(siruta) ? unitKey(siruta, task.fuel) : task.key;
}

class Gathering {
  readonly stations = new Map<string, StationFacts>();
  readonly readings = new Map<string, { reading: Reading; rank: number }>();

  addStation(station: StationFacts): void {
    const key = stationKey(station);
    const known = this.stations.get(key);
    this.stations.set(key, known ? merged(known, station) : station);
  }

  /** Its own unit's word (2) goes before another unit's (1) and before a search around a point (0); then the later. */
  addPrice({ station, price, observed }: PriceFact, { fuel }: Task, unit: string, rank: number): void {
    const key = `${stationKey(station)}:${fuel}`;
    const known = this.readings.get(key);
    if (known && (known.rank > rank || (known.rank === rank && price === null))) return;
    const { sourceId, network } = station;
    this.readings.set(key, { rank, reading: { sourceId, network, fuel, price, observed, unit } });
  }
}

/** The later word, but nothing said is no word. */
function merged(known: StationFacts, later: StationFacts): StationFacts {
  const placed = later.lat === null ? known : later;
  return {
    ...later,
    name: later.name || known.name,
    address: later.address || known.address,
    lat: placed.lat,
    lng: placed.lng,
    siruta: later.siruta ?? known.siruta,
    hours: later.hours ?? known.hours,
    services: later.services.length > 0 ? later.services : known.services,
    phone: later.phone ?? known.phone,
  };
}
