/** The built-in roads as smooth lines. */
import type { Point } from '../../domain/point.ts';
import type { RoadEdge, RoadGraph } from '../../domain/roads/road-graph.ts';
import type { WorldLine } from './lines.ts';
import { worldShare } from './projection.ts';

/** How a map draws a road. */
export type RoadStyle = 'motorway' | 'main' | 'county';

/** A section of a road. */
export type RoadLine = { readonly ref: string; readonly style: RoadStyle; readonly line: WorldLine };

/** Points between two places: the curve through them is drawn as that many straight pieces. */
const PIECES = 8;

/** One smooth line for each section of a road, through every place on it. */
export function roadLines({ edges, nodes }: RoadGraph): RoadLine[] {
  const sections: RoadEdge[][] = [];
  let last: RoadEdge | undefined;
  for (const edge of edges) {
    if (edge.class === 'slip') continue;
    if (last && last.b === edge.a && last.ref === edge.ref && last.class === edge.class) sections.at(-1)?.push(edge);
    else sections.push([edge]);
    last = edge;
  }
  return sections.map((section) => {
    const [first] = section as [RoadEdge];
    const stops = [first.a, ...section.map(({ b }) => b)].map((node) => worldShare(nodes[node] as Point));
    return { ref: first.ref, style: styleOf(first), line: smooth(stops) };
  });
}

function styleOf({ class: roadClass }: RoadEdge): RoadStyle {
  if (roadClass === 'motorway' || roadClass === 'expressway') return 'motorway';
  return roadClass === 'county' ? 'county' : 'main';
}

type Position = { readonly x: number; readonly y: number };

/** A cubic Hermite curve through the stops; its direction at each follows from the stops before and after. */
function smooth(stops: readonly Position[]): number[] {
  const directions = stops.map((_, index) => directionAt(stops, index));
  const [first] = stops as [Position];
  const line = [first.x, first.y];
  for (const [index, to] of stops.slice(1).entries()) {
    const from = stops[index] as Position;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const [out, into] = [directions[index] as Position, directions[index + 1] as Position];
    for (let piece = 1; piece <= PIECES; piece += 1) {
      const t = piece / PIECES;
      line.push(hermite(from.x, to.x, out.x * length, into.x * length, t));
      line.push(hermite(from.y, to.y, out.y * length, into.y * length, t));
    }
  }
  return line;
}

/**
 * The mean of the directions before and after a stop; the shorter way weighs more, so that the curve never swings out.
 */
function directionAt(stops: readonly Position[], index: number): Position {
  const at = stops[index] as Position;
  const before = stops[index - 1] ?? at;
  const after = stops[index + 1] ?? at;
  const lengthBefore = Math.hypot(at.x - before.x, at.y - before.y);
  const lengthAfter = Math.hypot(after.x - at.x, after.y - at.y);
  const mean = (axis: 'x' | 'y') => {
    const slopeBefore = lengthBefore === 0 ? 0 : (at[axis] - before[axis]) / lengthBefore;
    const slopeAfter = lengthAfter === 0 ? 0 : (after[axis] - at[axis]) / lengthAfter;
    return (slopeBefore * lengthAfter + slopeAfter * lengthBefore) / (lengthBefore + lengthAfter || 1);
  };
  return lengthBefore === 0 || lengthAfter === 0
    ? straight(lengthBefore === 0 ? at : before, lengthBefore === 0 ? after : at)
    : { x: mean('x'), y: mean('y') };
}

function straight(from: Position, to: Position): Position {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

function hermite(from: number, to: number, out: number, into: number, t: number): number {
  const [t2, t3] = [t * t, t * t * t];
  return (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * out + (3 * t2 - 2 * t3) * to + (t3 - t2) * into;
}
