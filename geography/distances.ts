/** The city pairs of `distances.txt`, split into those that the roads were tuned on and those held out. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Gazetteer } from '../src/domain/places/gazetteer.ts';
import type { Point } from '../src/domain/point.ts';
import type { RouteFinder } from '../src/domain/roads/route.ts';

/** A known road distance. */
export type RoadDistance = {
  readonly from: string;
  readonly to: string;
  readonly km: number;
  readonly minutes: number;
};

/** The deviation of a route from the known values, in %; positive = too long. */
export type Deviation = RoadDistance & { readonly kmOff: number; readonly minutesOff: number };

/** Number of pairs held out. */
const HOLDOUT_SIZE = 30;

/** Reads the pairs. The pairs with the smallest SHA-256 of `from|to` are held out. */
export function readDistances(): { tuningPairs: RoadDistance[]; holdoutPairs: RoadDistance[] } {
  const text = readFileSync(path.join(import.meta.dirname, 'distances.txt'), 'utf8');
  const pairs = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [from = '', to = '', km, minutes] = line.split('|');
      return { from, to, km: Number(km), minutes: Number(minutes) };
    })
    .sort((a, b) => (digest(a) < digest(b) ? -1 : 1));
  return { holdoutPairs: pairs.slice(0, HOLDOUT_SIZE), tuningPairs: pairs.slice(HOLDOUT_SIZE) };
}

/** Routes every pair. Throws if a place is unknown or unreachable. */
export function deviations(pairs: readonly RoadDistance[], gazetteer: Gazetteer, find: RouteFinder): Deviation[] {
  return pairs.map((pair) => {
    const route = find(placeOf(gazetteer, pair.from), placeOf(gazetteer, pair.to));
    if ('unreachable' in route) throw new Error(`${pair.from}–${pair.to}: ${route.unreachable}`);
    return {
      ...pair,
      kmOff: (route.km / pair.km - 1) * 100,
      minutesOff: (route.minutes / pair.minutes - 1) * 100,
    };
  });
}

/** The mean of the absolute values. */
export function meanAbsolute(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
}

function placeOf(gazetteer: Gazetteer, name: string): Point {
  const resolved = gazetteer.resolvePlace(name);
  if ('unknown' in resolved) throw new Error(`distances.txt: no place “${name}”`);
  return resolved.found;
}

function digest({ from, to }: RoadDistance): string {
  return createHash('sha256').update(`${from}|${to}`).digest('hex');
}
