import { EARTH_RADIUS_KM, type Point } from '../point.ts';
import type { Polyline } from './line.ts';

/**
 * The shortest distance from a point to a line, km along the earth's surface; `undefined` = more than `limitKm`.
 *
 * Exact: the line's segments are arcs of great circles, and the distance to an arc has a closed form in vectors, so
 * nothing is projected or simplified. Only rounding is left: under a millimetre, a centimetre for segments shorter
 * than a metre.
 */
export type DistanceToLine = (point: Point, limitKm: number) => number | undefined;

/** Segments per leaf, which are compared one by one. */
const SEGMENTS_PER_LEAF = 8;
/**
 * x, y, z of a segment's ends `a` and `b` (on a unit sphere), and of the pole of its great circle (0 if the ends are
 * the same).
 */
const FLOATS_PER_SEGMENT = 9;
/** x, y, z of the centre of a sphere around a run of segments, and its radius. */
const FLOATS_PER_SPHERE = 4;

/**
 * Indexes a line of at least one point, at most a quarter round the earth long, in time linear in its length. Spheres
 * enclose runs of neighbouring segments, larger spheres enclose pairs of spheres; a sphere further away than the
 * nearest segment found so far is skipped. So an engine's line of 20,000 points costs little more than one of 200.
 */
export function distanceToLine(line: Polyline): DistanceToLine {
  const pieces = segmentsOf(line);
  const levels = boundingSpheres(pieces);
  const p = new Float64Array(3);
  const search = (level: number, index: number, nearest: number): number => {
    const balls = levels[level];
    if (!balls) return nearestInLeaf(pieces, index, p, nearest);
    const first = 2 * index;
    const toFirst = distanceToSphere(balls, first, p);
    const toSecond =
      (first + 1) * FLOATS_PER_SPHERE < balls.length ? distanceToSphere(balls, first + 1, p) : Number.POSITIVE_INFINITY;
    const secondFirst = toSecond < toFirst ? 1 : 0;
    let best = nearest;
    if (Math.min(toFirst, toSecond) < best) best = search(level - 1, first + secondFirst, best);
    if (Math.max(toFirst, toSecond) < best) best = search(level - 1, first + 1 - secondFirst, best);
    return best;
  };
  const root = levels.pop() as Float64Array;
  return ({ lat, lng }, limitKm) => {
    writeUnitVector(p, 0, lat, lng);
    const limit = (limitKm / EARTH_RADIUS_KM) * (1 + 1e-12);
    if (distanceToSphere(root, 0, p) >= limit) return undefined;
    const angle = search(levels.length - 1, 0, limit);
    return angle < limit ? angle * EARTH_RADIUS_KM : undefined;
  };
}

/** A line of one point becomes one segment from the point to itself. */
function segmentsOf(line: Polyline): Float64Array {
  const points = line.length === 1 ? [...line, ...line] : line;
  const pieces = new Float64Array(FLOATS_PER_SEGMENT * (points.length - 1));
  for (let at = 0, index = 1; index < points.length; at += FLOATS_PER_SEGMENT, index += 1) {
    const [from, to] = [points[index - 1] as Polyline[number], points[index] as Polyline[number]];
    writeUnitVector(pieces, at, from[0], from[1]);
    writeUnitVector(pieces, at + 3, to[0], to[1]);
    writePole(pieces, at);
  }
  return pieces;
}

function writeUnitVector(into: Float64Array, at: number, lat: number, lng: number): void {
  const phi = (lat * Math.PI) / 180;
  const lambda = (lng * Math.PI) / 180;
  into[at] = Math.cos(phi) * Math.cos(lambda);
  into[at + 1] = Math.cos(phi) * Math.sin(lambda);
  into[at + 2] = Math.sin(phi);
}

/**
 * The pole is `a × b` of length one; `(a + b) × (b - a) / 2` is the same without losing digits when the ends are close.
 */
function writePole(pieces: Float64Array, at: number): void {
  const part = (axis: number): { sum: number; step: number } => {
    const a = pieces[at + axis] as number;
    const b = pieces[at + 3 + axis] as number;
    return { sum: a + b, step: b - a };
  };
  const [x, y, z] = [part(0), part(1), part(2)];
  const pole = [y.sum * z.step - z.sum * y.step, z.sum * x.step - x.sum * z.step, x.sum * y.step - y.sum * x.step];
  const length = Math.hypot(...pole);
  if (length > 0) for (const [axis, value] of pole.entries()) pieces[at + 6 + axis] = value / length;
}

/** The smallest angle to a segment of the leaf, or `nearest` if none is nearer. */
function nearestInLeaf(pieces: Float64Array, leaf: number, p: Float64Array, nearest: number): number {
  const end = Math.min(pieces.length, (leaf + 1) * SEGMENTS_PER_LEAF * FLOATS_PER_SEGMENT);
  let best = nearest;
  for (let at = leaf * SEGMENTS_PER_LEAF * FLOATS_PER_SEGMENT; at < end; at += FLOATS_PER_SEGMENT)
    best = Math.min(best, angleToSegment(pieces, at, p));
  return best;
}

function angleToSegment(pieces: Float64Array, at: number, p: Float64Array): number {
  const px = p[0] as number;
  const py = p[1] as number;
  const pz = p[2] as number;
  const ax = pieces[at] as number;
  const ay = pieces[at + 1] as number;
  const az = pieces[at + 2] as number;
  const bx = pieces[at + 3] as number;
  const by = pieces[at + 4] as number;
  const bz = pieces[at + 5] as number;
  const nx = pieces[at + 6] as number;
  const ny = pieces[at + 7] as number;
  const nz = pieces[at + 8] as number;
  // n × p is the direction of travel at the foot of p; if the foot lies outside the arc, an end is the nearest point.
  const tx = ny * pz - nz * py;
  const ty = nz * px - nx * pz;
  const tz = nx * py - ny * px;
  const between = tx * ax + ty * ay + tz * az < 0 && tx * bx + ty * by + tz * bz > 0;
  if (between && px * (ax + bx) + py * (ay + by) + pz * (az + bz) > 0)
    return Math.asin(Math.min(1, Math.abs(px * nx + py * ny + pz * nz)));
  return Math.min(chordAngle(px - ax, py - ay, pz - az), chordAngle(px - bx, py - by, pz - bz));
}

/** The angle of a chord, seen from the centre of the earth. */
function chordAngle(x: number, y: number, z: number): number {
  return 2 * Math.asin(Math.min(1, Math.sqrt(x * x + y * y + z * z) / 2));
}

/** The straight distance through the earth to a sphere: a lower bound of the surface distance to anything inside it. */
function distanceToSphere(balls: Float64Array, index: number, p: Float64Array): number {
  return chordLength(p, 0, balls, index * FLOATS_PER_SPHERE) - (balls[index * FLOATS_PER_SPHERE + 3] as number);
}

/** Spheres around the leaves, then around pairs, up to a single one. */
function boundingSpheres(pieces: Float64Array): Float64Array[] {
  const leaves = new Float64Array(
    FLOATS_PER_SPHERE * Math.ceil(pieces.length / FLOATS_PER_SEGMENT / SEGMENTS_PER_LEAF),
  );
  for (let leaf = 0; leaf * FLOATS_PER_SPHERE < leaves.length; leaf += 1) writeLeafSphere(leaves, leaf, pieces);
  const levels: Float64Array[] = [leaves];
  for (let below: Float64Array = leaves; below.length > FLOATS_PER_SPHERE; below = levels.at(-1) as Float64Array) {
    const balls = new Float64Array(FLOATS_PER_SPHERE * Math.ceil(below.length / FLOATS_PER_SPHERE / 2));
    for (let index = 0; index * FLOATS_PER_SPHERE < balls.length; index += 1) writePairSphere(balls, index, below);
    levels.push(balls);
  }
  return levels;
}

/**
 * The centre is the mean of the ends. A sphere cuts a cap out of the earth's surface, and the arc between two points
 * of a cap smaller than a hemisphere never leaves it: so a sphere that holds the ends holds the segments.
 */
function writeLeafSphere(balls: Float64Array, leaf: number, pieces: Float64Array): void {
  const from = leaf * SEGMENTS_PER_LEAF * FLOATS_PER_SEGMENT;
  const to = Math.min(pieces.length, from + SEGMENTS_PER_LEAF * FLOATS_PER_SEGMENT);
  const at = leaf * FLOATS_PER_SPHERE;
  const ends = (2 * (to - from)) / FLOATS_PER_SEGMENT;
  for (let piece = from; piece < to; piece += FLOATS_PER_SEGMENT)
    for (let axis = 0; axis < 6; axis += 1)
      balls[at + (axis % 3)] = (balls[at + (axis % 3)] as number) + (pieces[piece + axis] as number) / ends;
  let radius = 0;
  for (let piece = from; piece < to; piece += FLOATS_PER_SEGMENT)
    radius = Math.max(radius, chordLength(pieces, piece, balls, at), chordLength(pieces, piece + 3, balls, at));
  balls[at + 3] = radius;
}

function chordLength(some: Float64Array, at: number, others: Float64Array, otherAt: number): number {
  const x = (some[at] as number) - (others[otherAt] as number);
  const y = (some[at + 1] as number) - (others[otherAt + 1] as number);
  const z = (some[at + 2] as number) - (others[otherAt + 2] as number);
  return Math.sqrt(x * x + y * y + z * z);
}

function writePairSphere(balls: Float64Array, index: number, below: Float64Array): void {
  const at = index * FLOATS_PER_SPHERE;
  const first = 2 * at;
  const second = first + FLOATS_PER_SPHERE < below.length ? first + FLOATS_PER_SPHERE : first;
  for (let axis = 0; axis < 3; axis += 1)
    balls[at + axis] = ((below[first + axis] as number) + (below[second + axis] as number)) / 2;
  balls[at + 3] = Math.max(
    chordLength(below, first, balls, at) + (below[first + 3] as number),
    chordLength(below, second, balls, at) + (below[second + 3] as number),
  );
}
