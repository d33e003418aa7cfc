/** What is asked of a routing engine, and what may come of it. */

import type { Point } from '../../domain/point.ts';
import type { Line } from '../../domain/roads/line.ts';

/** A way by car; `line` from near the one place to near the other. */
export type EngineWay = { readonly km: number; readonly minutes: number; readonly line: Line };

/** Why an answer is of no use, in a clause that is told to the operator. */
export type Useless = { readonly useless: string };

/** How to speak with one make of engine. */
export type RoutingEngine = {
  readonly kind: 'osrm' | 'valhalla';
  /** The address below its origin, and the JSON to post there; without one it is a GET. */
  question(from: Point, to: Point): { readonly target: string; readonly json?: string };
  /** Its answer, parsed and not yet trusted; `impossible` = it says that no way leads there. */
  read(answer: unknown, from: Point, to: Point): EngineWay | 'impossible' | Useless;
};

/** Further, and longer, than any way by car in Europe. */
const LONGEST = { km: 10_000, minutes: 20_000 };

/** The way, where length and time can be right. */
export function wayOf(km: unknown, minutes: unknown, line: Line): EngineWay | Useless {
  if (!within(km, LONGEST.km)) return { useless: 'its distance cannot be right' };
  if (!within(minutes, LONGEST.minutes)) return { useless: 'its duration cannot be right' };
  return { km, minutes, line };
}

function within(value: unknown, most: number): value is number {
  return typeof value === 'number' && value > 0 && value <= most;
}

/** `NaN` where it is no number. */
export function divided(value: unknown, by: number): number {
  return typeof value === 'number' ? value / by : Number.NaN;
}
