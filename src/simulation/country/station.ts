/** The words of the simulated country: units, stations, and the oddities planted among them. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import { aliasKey } from '../../domain/stations/matching.ts';
import type { NetworkId } from './networks.ts';

/** An administrative unit of the register with the place its stations lie around. */
export type SimulatedUnit = {
  readonly siruta: number;
  readonly name: string;
  readonly ascii: string;
  /** Plate code. */
  readonly county: string;
  readonly lat: number;
  readonly lng: number;
  readonly population: number;
  /** Its stations lie within this distance of the centre. */
  readonly radiusKm: number;
};

export type AnomalyKind =
  | 'stuck'
  | 'stale'
  | 'orphan'
  | 'premium-below-standard'
  | 'out-of-range'
  | 'price-zero'
  | 'price-missing'
  | 'two-products'
  | 'wrong-county'
  | 'swapped-coordinates'
  | 'no-coordinates'
  | 'ill-unit';

/** Something wrong on purpose, so that every flag of the service has an example. */
export type Anomaly = {
  readonly kind: AnomalyKind;
  /** Key of the station, as `stationKey` makes it. */
  readonly station: string;
  readonly siruta: number;
  /** The one fuel it is about; `null` = the whole station. */
  readonly fuel: RoadFuel | null;
  /** It holds from this Bucharest day on, for good; `null` = it was always so. */
  readonly since: DayNumber | null;
  /** The price sent instead, where one is. */
  readonly price: MilliPrice | null;
};

/** A simulated station of one network, with everything about it that does not change by the day. */
export type SimulatedStation = Point & {
  readonly network: NetworkId;
  /** The register's id, in the network's own pattern. */
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly zipcode: string;
  readonly contact: string | null;
  readonly siruta: number;
  /** What the register says of its place: not always where it is, `null` = nothing. */
  readonly declared: Point | null;
  readonly services: readonly string[];
  readonly fuels: readonly RoadFuel[];
  /** Its prices of petrol and diesel, and of LPG, against those of its network. */
  readonly localRoad: MilliPrice;
  readonly localLpg: MilliPrice;
  /** Minute of the Bucharest day at which it reports. */
  readonly reportMinute: number;
  readonly anomalies: readonly Anomaly[];
};

/** The key of a station among the register's: its id, bare numbers with the network (`SOCAR:39`). Rule 28. */
export function registerKey({ id, network }: { id: string; network: NetworkId }): string {
  return aliasKey(id, network);
}
