/** The types of the simulated country: units, stations, and injected anomalies. */
import type { DayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import { sourceKey } from '../../domain/stations/link-by-place.ts';
import type { NetworkId } from './simulated-networks.ts';

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

/** A deliberate error, so that every flag of the service has an example. */
export type Anomaly = {
  readonly kind: AnomalyKind;
  /** Key of the station, as `stationKey` makes it. */
  readonly station: string;
  readonly siruta: number;
  /** The fuel it affects; `null` = the whole station. */
  readonly fuel: RoadFuel | null;
  /** It holds from this Bucharest day on; `null` = it has always held. */
  readonly since: DayNumber | null;
  /** The price sent instead, if any. */
  readonly price: MilliPrice | null;
};

/** A simulated station of one network, without what changes from day to day. */
export type SimulatedStation = Point & {
  readonly network: NetworkId;
  /** The register's id, in the network's own pattern. */
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly zipcode: string;
  readonly contact: string | null;
  readonly siruta: number;
  /** Its place according to the register, which may be wrong; `null` = not given. */
  readonly declared: Point | null;
  readonly services: readonly string[];
  readonly fuels: readonly RoadFuel[];
  /** Difference of its petrol and diesel prices, and of its LPG price, from its network's. */
  readonly localRoad: MilliPrice;
  readonly localLpg: MilliPrice;
  /** Minute of the Bucharest day at which it reports. */
  readonly reportMinute: number;
  readonly anomalies: readonly Anomaly[];
};

/** The key of a station among the register's: its id, bare numbers with the network (`SOCAR:39`). Rule 28. */
export function registerKey({ id, network }: { id: string; network: NetworkId }): string {
  return sourceKey(id, network);
}
