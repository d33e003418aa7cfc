import { KM_PER_DEGREE, type Point } from '../point.ts';
import { foldName, isLongerThanNames } from './place-names.ts';

/** A closed list of [longitude, latitude]. */
type Ring = readonly (readonly [lng: number, lat: number])[];

/** One of the 41 counties, or București. */
export type County = {
  /** Plate code, e.g. `CJ`. */
  readonly code: string;
  /** Name with diacritics. */
  readonly name: string;
  /** The same name in ASCII. */
  readonly ascii: string;
  /** Other names people write. */
  readonly aliases: readonly string[];
  /** Outer ring, then holes, of each part; from Natural Earth, true to about 1 km and in places 3 km. */
  readonly polygons: readonly (readonly Ring[])[];
};

/**
 * The look-up of rule 11: by name, plate code or alias. It ignores case, diacritics and punctuation, and a leading
 * "Județul" or "Jud.". Returns `undefined` for an unknown name.
 */
export function countyLookup(counties: readonly County[]): (text: string) => County | undefined {
  const byName = new Map(
    counties.flatMap((county) =>
      [county.name, county.code, ...county.aliases].map((name) => [foldName(name), county] as const),
    ),
  );
  return (text) => {
    if (isLongerThanNames(text)) return undefined;
    const name = foldName(text);
    return byName.get(name) ?? byName.get(name.replace(/^(judetul|judet|jud) /, ''));
  };
}

/** Whether the point lies in the county's polygon (even-odd rule, so a hole is outside). */
export function insideCounty(point: Point, county: County): boolean {
  return county.polygons.some((rings) => rings.filter((ring) => insideRing(point, ring)).length % 2 === 1);
}

/** How far outside the county's polygon the point lies, km; 0 inside. */
export function distanceOutsideCountyKm(point: Point, county: County): number {
  if (insideCounty(point, county)) return 0;
  return Math.min(...county.polygons.flatMap((rings) => rings.map((ring) => distanceToRingKm(point, ring))));
}

function insideRing({ lat, lng }: Point, ring: Ring): boolean {
  let inside = false;
  forEachEdge(ring, (fromLng, fromLat, toLng, toLat) => {
    if (fromLat > lat === toLat > lat) return;
    if (lng < ((toLng - fromLng) * (lat - fromLat)) / (toLat - fromLat) + fromLng) inside = !inside;
  });
  return inside;
}

/** Computed on a plane around the point: accurate to a few metres at the distances that matter here. */
function distanceToRingKm(point: Point, ring: Ring): number {
  const kmPerDegreeLng = KM_PER_DEGREE * Math.cos((point.lat * Math.PI) / 180);
  let nearest = Number.POSITIVE_INFINITY;
  forEachEdge(ring, (fromLng, fromLat, toLng, toLat) => {
    const x = (fromLng - point.lng) * kmPerDegreeLng;
    const y = (fromLat - point.lat) * KM_PER_DEGREE;
    nearest = Math.min(
      nearest,
      distanceToSegment(x, y, (toLng - fromLng) * kmPerDegreeLng, (toLat - fromLat) * KM_PER_DEGREE),
    );
  });
  return nearest;
}

/** From the origin to the segment that starts at (x, y) and runs (dx, dy). */
function distanceToSegment(x: number, y: number, dx: number, dy: number): number {
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : Math.max(0, Math.min(1, -(x * dx + y * dy) / length2));
  return Math.hypot(x + along * dx, y + along * dy);
}

function forEachEdge(
  ring: Ring,
  visit: (fromLng: number, fromLat: number, toLng: number, toLat: number) => void,
): void {
  let from = ring.at(-1);
  for (const to of ring) {
    if (from) visit(from[0], from[1], to[0], to[1]);
    from = to;
  }
}
