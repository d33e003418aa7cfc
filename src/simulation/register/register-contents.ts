/** The contents of a simulated register: stations and their reports, networks, administrative units. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import type { BucharestTime } from '../country/simulated-prices.ts';
import type { RegisterNetwork, Row } from './register-rows.ts';

export type RegisteredStation = {
  /** Orders stations at the same distance. */
  readonly key: string;
  readonly id: string;
  readonly network: string;
  readonly unit: number;
  /** Its place according to the register; `null` = not given. */
  readonly location: Point | null;
  readonly services: readonly Row[];
  /** Its row as of a moment. */
  stationRow(moment: BucharestTime): Row;
  /** Its rows for a fuel as of a moment, found at a distance; none if it lists no such product. */
  productRows(fuel: RoadFuel, distanceKm: number, moment: BucharestTime): readonly Row[];
};

export type RegisterContents = {
  readonly stations: readonly RegisteredStation[];
  readonly networks: readonly RegisterNetwork[];
  /** The point that a unit's stations are ordered around. */
  centreOf(unit: number): Point | undefined;
  /** The outline of a unit that its answers carry. */
  outlineOf(unit: number): readonly Point[];
  /** Whether the register has no answer for a unit. */
  isUnitFailing(unit: number, moment: BucharestTime): boolean;
  /** Rows of the units whose name holds a text; of the default cities for `null`. */
  unitRows(name: string | null): readonly Row[];
};
