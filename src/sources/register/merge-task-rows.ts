/** Merges the units' rows: each station once, and one reading per station and fuel. */
import type { PriceReading, Rejections, StationDescription } from '../../domain/reports/observation.ts';
import { unitKey } from '../source.ts';
import { type ParsedRows, type RegisterPrice, type RowRejection, stationKey } from './parsing/parse-rows.ts';
import type { UnitTask } from './requests/sweep-plan.ts';

/** The rows found for one task. `around` comes from searches around points and may include other units' stations. */
export type TaskRows = {
  readonly task: UnitTask;
  readonly own: readonly ParsedRows[];
  readonly around: readonly ParsedRows[];
};

/** All stations and readings; the order of the answers does not matter. */
export function mergeTaskRows(
  found: readonly TaskRows[],
  sweptUnits: ReadonlySet<number>,
): { stations: StationDescription[]; readings: PriceReading[] } {
  const merger = new RegisterRowMerger();
  for (const { task, around } of found) {
    for (const { stations, prices } of around) {
      for (const station of stations) merger.addStation(station);
      for (const fact of prices) merger.addPrice(fact, task, unitOf(fact, task, sweptUnits), 0);
    }
  }
  for (const { task, own } of found) {
    for (const { stations, prices } of own) {
      for (const station of stations) merger.addStation(station);
      for (const fact of prices) merger.addPrice(fact, task, task.key, fact.station.siruta === task.siruta ? 2 : 1);
    }
  }
  return {
    stations: [...merger.stations.values()],
    readings: [...merger.readings.values()].map(({ reading }) => reading),
  };
}

/** Counts the rows rejected in one unit's answers; a row repeated in another part of the same unit counts once. */
export function countRejections(answers: readonly ParsedRows[], rejections: Rejections): void {
  const most = new Map<string, { rejection: RowRejection; times: number }>();
  for (const { rejections } of answers) {
    for (const [key, same] of Map.groupBy(rejections, ({ reason, sample }) => `${reason} ${JSON.stringify(sample)}`)) {
      const rejection = same[0];
      if (rejection && same.length > (most.get(key)?.times ?? 0)) most.set(key, { rejection, times: same.length });
    }
  }
  for (const { rejection, times } of most.values()) {
    rejections.addRow(rejection.name ? [rejection.name] : [], rejection);
    if (times > 1) rejections.add(rejection.reason, rejection.sample, times - 1);
  }
}

/** A station found around a point belongs to its own unit, if that unit is swept. */
function unitOf({ station: { siruta } }: RegisterPrice, task: UnitTask, sweptUnits: ReadonlySet<number>): string {
  return siruta !== null && sweptUnits.has(siruta) ? unitKey(siruta, task.fuel) : task.key;
}

class RegisterRowMerger {
  readonly stations = new Map<string, StationDescription>();
  readonly readings = new Map<string, { reading: PriceReading; rank: number }>();

  addStation(station: StationDescription): void {
    const key = stationKey(station);
    const known = this.stations.get(key);
    this.stations.set(key, known ? mergeStation(known, station) : station);
  }

  /**
   * The station's own unit (2) takes precedence over another unit (1) and a search around a point (0); then the later
   * row.
   */
  addPrice({ station, price, observed }: RegisterPrice, { fuel }: UnitTask, unit: string, rank: number): void {
    const key = `${stationKey(station)}:${fuel}`;
    const known = this.readings.get(key);
    if (known && (known.rank > rank || (known.rank === rank && price === null))) return;
    const { sourceId, network } = station;
    this.readings.set(key, { rank, reading: { sourceId, network, fuel, price, observed, unit } });
  }
}

/** The later description wins, except where its fields are empty. */
function mergeStation(known: StationDescription, later: StationDescription): StationDescription {
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
