import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KM_PER_DEGREE } from '../point.ts';
import type { County } from './county.ts';
import { createBorderChecks } from './county-check.ts';
import type { Locality } from './locality.ts';
import { nearestLookup } from './nearest.ts';

/** A county between two parallels, so wide that its other borders do not matter. */
function band(code: string, south: number, north: number): County {
  const ring = [
    [20, south],
    [28, south],
    [28, north],
    [20, north],
    [20, south],
  ] as const;
  return { code, name: code, ascii: code, aliases: [], polygons: [[ring]] };
}

const SOUTH = band('SS', 44, 45);
const NORTH = band('NN', 45, 46);

/** A locality `km` north of the line between the two counties; negative = south of it. */
function village(km: number, county: string): Locality {
  const name = { name: 'Sat', ascii: 'Sat', alternates: [], slug: `sat-${km}` };
  return { ...name, lat: 45 + km / KM_PER_DEGREE, lng: 24, county, siruta: null, population: 100 };
}

/** Whether a station `km` north of the line is suspect when it declares the southern county. */
function doubted(km: number, localities: readonly Locality[]): boolean {
  const { suspectCoordinates } = createBorderChecks([SOUTH, NORTH], nearestLookup(localities));
  return suspectCoordinates({ lat: 45 + km / KM_PER_DEGREE, lng: 24 }, SOUTH);
}

describe('coordinates outside the declared county', () => {
  const abroad = [2, 3, 4, 5, 6].map((km) => village(km, 'NN'));

  it('are trusted up to 1 km away, since the border line is no more accurate', () => {
    assert.equal(doubted(0.9, abroad), false);
    assert.equal(doubted(1.1, abroad), true);
  });

  it('are trusted further out if one of the five nearest localities is in the declared county', () => {
    const four = abroad.slice(0, 4);
    assert.equal(doubted(3, [...four, village(-1, 'SS')]), false);
    assert.equal(doubted(3, [...abroad, village(-1, 'SS')]), true);
  });
});
