import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The countries and the sea around Romania; each line is longitude and latitude in turn, degrees. */
export type Neighbours = {
  /** The area that the rest covers: west, south, east, north. */
  readonly window: readonly [west: number, south: number, east: number, north: number];
  /** Closed rings; what none of them contains is sea. */
  readonly land: readonly (readonly number[])[];
  /** Borders between countries, without those of Romania. */
  readonly borders: readonly (readonly number[])[];
};

/** Reads `geography/neighbours.json`. Throws if it is missing or broken. */
export function readNeighbours(): Neighbours {
  const file = join(import.meta.dirname, '../../geography/neighbours.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Neighbours;
}
