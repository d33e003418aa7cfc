/** Accuracy of the built-in roads; speed of a route and of the search along it. `--long` lists every pair of towns. */
import { type Deviation, deviations, meanAbsolute, readDistances } from '../geography/distances.ts';
import { distanceKm, KM_PER_DEGREE, type Point } from '../src/domain/point.ts';
import { placesAlong } from '../src/domain/roads/corridor.ts';
import { type Polyline, waypoints } from '../src/domain/roads/line.ts';
import { buildRoadGraph } from '../src/domain/roads/road-graph.ts';
import { routeFinder } from '../src/domain/roads/route.ts';
import { loadGazetteer } from '../src/geodata/load-gazetteer.ts';
import { loadRoads, readRoadData } from '../src/geodata/load-roads.ts';
import { finishReport, heading, LONG, median, note, reportMetric } from '../test/support/benchmark-report.ts';
import { syntheticCountry } from '../test/support/builders/synthetic-country.ts';

const STATIONS = 2_000;
const RADIUS_KM = 15;
const ENGINE_POINTS = 20_000;
const ROUNDS = 41;

const gazetteer = loadGazetteer();

heading('The built-in roads: known distances, a route, the search along it');
const began = performance.now();
const roads = loadRoads(gazetteer);
reportMetric('reading the roads, once a process', performance.now() - began, 'ms', { most: 300 });
note(
  `${roads.nodes.length} nodes, ${roads.edges.length} edges, ${readRoadData(gazetteer).roads.length} lines of the file`,
);
const find = routeFinder(roads);

const { tuningPairs, holdoutPairs } = readDistances();
printDeviations('held out', deviations(holdoutPairs, gazetteer, find));
printDeviations('used for tuning', deviations(tuningPairs, gazetteer, find));

const longRoute = route('București', 'Oradea');
const stations = syntheticCountry(6 * STATIONS, 0)
  .sourceStations.slice(0, STATIONS)
  .map(({ lat, lng }) => ({ lat: Number(lat), lng: Number(lng) }));
note(
  `a route of ${longRoute.km.toFixed(0)} km, ${longRoute.line.length} points; ${stations.length} stations, ${RADIUS_KM} km`,
);
reportMetric(
  'the route',
  milliseconds(() => route('București', 'Oradea')),
  'ms',
  { most: 2 },
);
reportMetric(
  'the longest way: Mangalia to Satu Mare',
  milliseconds(() => route('Mangalia', 'Satu Mare')),
  'ms',
  { most: 2 },
);
search('the search along it', longRoute.line, { most: 10 });
search(`the same on an engine’s ${ENGINE_POINTS} points`, densify(longRoute.line, ENGINE_POINTS));
reportMetric(
  'a whole answer: two places, route, search, waypoints',
  milliseconds(() => {
    const { line } = route('București', 'Oradea');
    placesAlong(line, stations, RADIUS_KM);
    waypoints(line);
  }),
  'ms',
  { most: 5 },
);
reportMetric(
  'building the graph again',
  milliseconds(() => buildRoadGraph(readRoadData(gazetteer), []), 5),
  'ms',
);
finishReport();

function printDeviations(name: string, found: readonly Deviation[]): void {
  const km = found.map(({ kmOff }) => kmOff);
  const minutes = found.map(({ minutesOff }) => minutesOff);
  const worst = Math.max(...km.map(Math.abs));
  reportMetric(`${found.length} pairs ${name}: mean error in km`, meanAbsolute(km), '%', { most: 4 });
  reportMetric(`${found.length} pairs ${name}: the worst`, worst, '%', { most: 12 });
  reportMetric(`${found.length} pairs ${name}: mean error in minutes`, meanAbsolute(minutes), '%', { most: 10 });
  // A pair with a smaller error is most likely written in the road file, too.
  const estimated = km.filter((off) => Math.abs(off) >= 0.5);
  reportMetric(`${estimated.length} of them off by 0.5 % or more: mean error in km`, meanAbsolute(estimated), '%');
  if (LONG)
    for (const pair of found.toSorted((a, b) => Math.abs(b.kmOff) - Math.abs(a.kmOff))) note(deviationLine(pair));
}

function deviationLine({ from, to, km, kmOff, minutes, minutesOff }: Deviation): string {
  const part = (known: number, off: number) => `${String(known).padStart(5)} ${`${off.toFixed(1)} %`.padStart(8)}`;
  return `  ${`${from} – ${to}`.padEnd(44)} km ${part(km, kmOff)}   min ${part(minutes, minutesOff)}`;
}

function route(from: string, to: string) {
  const [start, end] = [gazetteer.resolvePlace(from), gazetteer.resolvePlace(to)];
  if ('unknown' in start || 'unknown' in end) throw new Error(`${from} or ${to} is unknown`);
  const found = find(start.found, end.found);
  if ('unreachable' in found) throw new Error(found.unreachable);
  return found;
}

function search(name: string, line: Polyline, target?: { most: number }): void {
  const searchMs: number[] = [];
  const bruteForceMs: number[] = [];
  for (let round = 0; round < (line.length > 1_000 ? 7 : ROUNDS); round += 1) {
    searchMs.push(timeOnce(() => placesAlong(line, stations, RADIUS_KM)));
    bruteForceMs.push(timeOnce(() => bruteForce(line, stations, RADIUS_KM)));
  }
  const found = placesAlong(line, stations, RADIUS_KM);
  const same = bruteForce(line, stations, RADIUS_KM);
  reportMetric(`${name}: ${found.length} stations`, median(searchMs), 'ms', target);
  reportMetric(`${name}: of brute force (${same})`, median(searchMs) / median(bruteForceMs), '×', { most: 1 });
}

/** Compares every station with every segment of the line, on a plane around the station. */
function bruteForce(line: Polyline, places: readonly Point[], radiusKm: number): number {
  let found = 0;
  for (const { lat, lng } of places) {
    const kmPerLng = KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
    let nearest = Number.POSITIVE_INFINITY;
    for (let index = 1; index < line.length; index += 1) {
      const from = line[index - 1] as Polyline[number];
      const to = line[index] as Polyline[number];
      const x = (from[1] - lng) * kmPerLng;
      const y = (from[0] - lat) * KM_PER_DEGREE;
      const dx = (to[1] - from[1]) * kmPerLng;
      const dy = (to[0] - from[0]) * KM_PER_DEGREE;
      const length = dx * dx + dy * dy;
      const along = length === 0 ? 0 : Math.max(0, Math.min(1, -(x * dx + y * dy) / length));
      nearest = Math.min(nearest, (x + along * dx) ** 2 + (y + along * dy) ** 2);
    }
    if (nearest <= radiusKm * radiusKm) found += 1;
  }
  return found;
}

/** The line with points inserted evenly along its segments, and moved by about 10 m, like an engine's line. */
function densify(line: Polyline, points: number): Polyline {
  const ends = line.map(([lat, lng]) => ({ lat, lng }));
  const wholeKm = ends.slice(1).reduce((sum, to, index) => sum + distanceKm(ends[index] as Point, to), 0);
  return ends.slice(1).flatMap((to, index) => {
    const from = ends[index] as Point;
    const pieces = Math.max(1, Math.round((distanceKm(from, to) / wholeKm) * points));
    return Array.from({ length: pieces }, (_, piece): [number, number] => [
      from.lat + ((to.lat - from.lat) * piece) / pieces + Math.sin(piece) / 10_000,
      from.lng + ((to.lng - from.lng) * piece) / pieces + Math.cos(piece) / 10_000,
    ]);
  });
}

function milliseconds(work: () => void, rounds = ROUNDS): number {
  return median(Array.from({ length: rounds }, () => timeOnce(work)));
}

function timeOnce(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
