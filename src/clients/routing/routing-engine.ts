/** The interface of a routing engine. */

import type { Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';

/** A route by car; `line` starts and ends near the two places. */
export type EngineRoute = { readonly km: number; readonly minutes: number; readonly line: Polyline };

/** Why an answer is unusable, in a clause for the operator. */
export type InvalidAnswer = { readonly invalid: string };

/** The protocol of one kind of engine. */
export type RoutingEngine = {
  readonly kind: 'osrm' | 'valhalla';
  /** The address below its origin, and the JSON to post there; without one it is a GET. */
  request(from: Point, to: Point): { readonly target: string; readonly json?: string };
  /** Reads the engine's parsed, untrusted answer; `no_route` = it says that there is no route. */
  read(answer: unknown, from: Point, to: Point): EngineRoute | 'no_route' | InvalidAnswer;
};

/** Longer, in distance and time, than any route by car in Europe. */
const MAX_ROUTE = { km: 10_000, minutes: 20_000 };

/** The route, if its length and time are plausible. */
export function toEngineRoute(km: unknown, minutes: unknown, line: Polyline): EngineRoute | InvalidAnswer {
  if (!within(km, MAX_ROUTE.km)) return { invalid: 'its distance cannot be right' };
  if (!within(minutes, MAX_ROUTE.minutes)) return { invalid: 'its duration cannot be right' };
  return { km, minutes, line };
}

function within(value: unknown, most: number): value is number {
  return typeof value === 'number' && value > 0 && value <= most;
}

/** `NaN` if the value is not a number. */
export function divide(value: unknown, by: number): number {
  return typeof value === 'number' ? value / by : Number.NaN;
}
