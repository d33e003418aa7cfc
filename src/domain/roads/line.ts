/** A way on the map, from its first point to its last, WGS84 degrees; between two points it runs straight. */
export type Polyline = readonly (readonly [lat: number, lng: number])[];

/** As many points of a route as the contract gives (rule 34). */
const MAX_WAYPOINTS = 200;

/** The line, evenly thinned to at most `most` points (200); both ends are kept. */
export function waypoints(line: Polyline, maxPoints = MAX_WAYPOINTS): Polyline {
  if (line.length <= maxPoints) return line;
  return Array.from({ length: maxPoints }, (_, index) => {
    const at = Math.round((index * (line.length - 1)) / (maxPoints - 1));
    return line[at] as Polyline[number];
  });
}
