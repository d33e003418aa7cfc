/** A way on the map, from its first point to its last, WGS84 degrees; between two points it runs straight. */
export type Line = readonly (readonly [lat: number, lng: number])[];

/** As many points of a route as the contract gives (decision 34). */
const MOST_WAYPOINTS = 200;

/** The line, evenly thinned to at most `most` points (200); both ends are kept. */
export function waypoints(line: Line, most = MOST_WAYPOINTS): Line {
  if (line.length <= most) return line;
  return Array.from({ length: most }, (_, index) => {
    const at = Math.round((index * (line.length - 1)) / (most - 1));
    return line[at] as Line[number];
  });
}
