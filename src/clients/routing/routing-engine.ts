/** What is asked of a routing engine, and what may come of it. */

import type { Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';

/** A way by car; `line` from near the one place to near the other. */
export type EngineRoute = { readonly km: number; readonly minutes: number; readonly line: Polyline };

/** Why an answer is of no use, in a clause that is told to the operator. */
export type UnusableAnswer = { readonly useless: string };

/** How to speak with one make of engine. */
export type RoutingEngine = {
  readonly kind: 'osrm' | 'valhalla';
  /** The address below its origin, and the JSON to post there; without one it is a GET. */
  request(from: Point, to: Point): { readonly target: string; readonly json?: string };
  /** Its answer, parsed and not yet trusted; `impossible` = it says that no way leads there. */
  read(answer: unknown, from: Point, to: Point): EngineRoute | 'impossible' | UnusableAnswer;
};

/** Further, and longer, than any way by car in Europe. */
const MAX_ROUTE = { km: 10_000, minutes: 20_000 };

/** The way, where length and time can be right. */
export function toEngineRoute(km: unknown, minutes: unknown, line: Polyline): EngineRoute | UnusableAnswer {
  if (!within(km, MAX_ROUTE.km)) return { useless: 'its distance cannot be right' };
  if (!within(minutes, MAX_ROUTE.minutes)) return { useless: 'its duration cannot be right' };
  return { km, minutes, line };
}

function within(value: unknown, most: number): value is number {
  return typeof value === 'number' && value > 0 && value <= most;
}

/** `NaN` where it is no number. */
export function divide(value: unknown, by: number): number {
  return typeof value === 'number' ? value / by : Number.NaN;
}
