import { distanceKm, type Point } from '../point.ts';
import { type County, distanceOutsideCountyKm, insideCounty } from './county.ts';
import type { Locality } from './locality.ts';
import type { NearestLookup } from './nearest.ts';

/**
 * Rule 29: coordinates are suspect this far outside the declared county, if none of this many nearest localities lies
 * in it.
 */
export const OUTSIDE_COUNTY_KM = 1;
export const NEAREST_LOCALITIES = 5;

/**
 * Abroad = more than `borderKm` outside every county *and* no locality within `localityKm`. The polygons alone cut off
 * up to 2.8 km at the Danube's bends (Corabia, Islaz, Liubcova), but people live there, so a locality is near. Ruse,
 * Kladovo and Gyula are outside; within 1 km of the border line the polygons are too coarse to decide.
 */
const OUTSIDE_ROMANIA = { borderKm: 1, localityKm: 3 };

/** Checks coordinates against the counties and the border. */
export type BorderChecks = {
  /** Whether the point is in Romania, with a tolerance at the border: see `OUTSIDE_ROMANIA`. */
  insideRomania(point: Point): boolean;
  /**
   * Whether coordinates cannot be right (rule 29); without a declared county only points outside Romania are suspect.
   */
  suspectCoordinates(point: Point, declared: County | null): boolean;
};

/** Creates the checks from the counties and the locality look-up. */
export function createBorderChecks(counties: readonly County[], nearest: NearestLookup<Locality>): BorderChecks {
  const insideRomania = (point: Point): boolean =>
    counties.some((county) => insideCounty(point, county)) ||
    nearest(point, 1).some((place) => distanceKm(point, place) <= OUTSIDE_ROMANIA.localityKm) ||
    counties.some((county) => distanceOutsideCountyKm(point, county) <= OUTSIDE_ROMANIA.borderKm);
  const farFromCounty = (point: Point, county: County): boolean =>
    distanceOutsideCountyKm(point, county) > OUTSIDE_COUNTY_KM &&
    nearest(point, NEAREST_LOCALITIES).every((place) => place.county !== county.code);
  return {
    insideRomania,
    suspectCoordinates: (point, declared) => {
      // Nearly all stations: all other counties need not be searched for them.
      if (declared !== null && insideCounty(point, declared)) return false;
      return (declared !== null && farFromCounty(point, declared)) || !insideRomania(point);
    },
  };
}
