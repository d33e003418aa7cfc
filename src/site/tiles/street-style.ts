/** How streets look at each zoom. */
import type { AreaKind, LineKind, RoadKind } from '../../vector-tiles/street-features.ts';
import { UNITS_PER_PIXEL } from '../map/projection.ts';

/** Width of a main road, px, by zoom. */
const MAIN_PX: Readonly<Record<number, number>> = { 11: 2.4, 12: 3.2, 13: 4.5, 14: 6.5, 15: 9, 16: 13, 17: 18 };

type RoadLook = {
  readonly name: string;
  readonly edge: string;
  /** Of the width of a main road. */
  readonly width: number;
  readonly fromZoom: number;
  /** From which zoom on its name is written. */
  readonly namedFrom: number;
};

export const ROAD_LOOKS: Readonly<Record<RoadKind, RoadLook>> = {
  path: { name: 'm-path', edge: '', width: 0.15, fromZoom: 16, namedFrom: 17 },
  service: { name: 'm-road', edge: 'm-edge', width: 0.35, fromZoom: 15, namedFrom: 16 },
  street: { name: 'm-road', edge: 'm-edge', width: 0.6, fromZoom: 13, namedFrom: 15 },
  secondary: { name: 'm-road', edge: 'm-edge', width: 0.8, fromZoom: 11, namedFrom: 14 },
  main: { name: 'm-road', edge: 'm-edge', width: 1, fromZoom: 11, namedFrom: 14 },
  motorway: { name: 'm-fast', edge: 'm-fast-edge', width: 1.1, fromZoom: 11, namedFrom: 15 },
};

/** Units, at a zoom from `FIRST_STREET_ZOOM` on. */
export function roadWidth(kind: RoadKind, zoom: number): number {
  return Math.max(2, Math.round((MAIN_PX[zoom] ?? 1) * ROAD_LOOKS[kind].width * UNITS_PER_PIXEL));
}

export const AREA_LOOKS: Readonly<Record<AreaKind, { readonly name: string; readonly fromZoom: number }>> = {
  green: { name: 'm-green', fromZoom: 11 },
  works: { name: 'm-works', fromZoom: 12 },
  water: { name: 'm-lake', fromZoom: 11 },
  building: { name: 'm-building', fromZoom: 15 },
};

type ThinKind = Exclude<LineKind, RoadKind>;

/** Width in units. */
export const THIN_LOOKS: Readonly<
  Record<ThinKind, { readonly name: string; readonly fromZoom: number; readonly width: number }>
> = {
  river: { name: 'm-stream', fromZoom: 12, width: 5 },
  rail: { name: 'm-rail', fromZoom: 12, width: 2 },
  border: { name: 'm-border', fromZoom: 11, width: 3 },
};
