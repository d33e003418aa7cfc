/** A path on the map, WGS84 degrees, straight between its points. */
export type Polyline = readonly (readonly [lat: number, lng: number])[];

/** The most points of a route in a response (rule 34). */
const MAX_WAYPOINTS = 200;

/** The line, evenly thinned to at most `maxPoints` (200) points; both ends are kept. */
export function waypoints(line: Polyline, maxPoints = MAX_WAYPOINTS): Polyline {
  if (line.length <= maxPoints) return line;
  return Array.from({ length: maxPoints }, (_, index) => {
    const at = Math.round((index * (line.length - 1)) / (maxPoints - 1));
    return line[at] as Polyline[number];
  });
}
