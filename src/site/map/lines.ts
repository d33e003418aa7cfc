/** Lines and areas of a map, made ready for one zoom, and the parts of them that a view shows. */
import { type Box, clipRing } from '../../algorithms/clip-ring.ts';
import { thinLine } from '../../algorithms/thin-line.ts';
import type { Point } from '../../domain/point.ts';
import { UNITS_PER_PIXEL, worldShare, worldUnits } from './projection.ts';

/** x and y in turn, as shares of the world. */
export type WorldLine = readonly number[];

/** x and y in turn, in whole units of one zoom. */
export type MapLine = { readonly points: readonly number[]; readonly box: Box };

/** A left-out point lies at most this far from the line, units. */
const TOLERANCE = 0.4 * UNITS_PER_PIXEL;

/** A line through the points. */
export function worldLine(points: readonly Point[]): WorldLine {
  return points.flatMap((point) => {
    const { x, y } = worldShare(point);
    return [x, y];
  });
}

/** The line as drawn at a zoom: without points that make no visible difference. */
export function lineAtZoom(line: WorldLine, zoom: number): MapLine {
  const scale = worldUnits(zoom);
  const inUnits = new Float64Array(line.length);
  for (let at = 0; at < line.length; at += 1) inUnits[at] = (line[at] as number) * scale;
  const points = thinLine(inUnits, TOLERANCE).map(Math.round);
  return { points, box: boundingBox(points) };
}

/** Whether two boxes have a point in common. */
export function boxesMeet(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/** Whether a point lies in a box or on its edge. */
export function isInside({ x, y }: { readonly x: number; readonly y: number }, box: Box): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** A box with a margin added on each side. */
export function grownBox({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** The stretches of lines that meet a box, as lines of their own. */
export function linesIn(lines: readonly MapLine[], box: Box): MapLine[] {
  return lines
    .filter((line) => boxesMeet(line.box, box))
    .flatMap(({ points }) => runsIn(points, box).map((run) => ({ points: run, box: boundingBox(run) })));
}

/** The parts of areas inside a box. */
export function ringsIn(rings: readonly MapLine[], box: Box): MapLine[] {
  return rings
    .filter((ring) => boxesMeet(ring.box, box))
    .map(({ points }) => clipRing(points, box))
    .filter((points) => points.length >= 6)
    .map((points) => ({ points, box: boundingBox(points) }));
}

/** Path data of the lines where they meet the box, relative to the corner of `origin`. */
export function linePath(lines: readonly MapLine[], box: Box, origin: Box): string {
  return lines
    .filter((line) => boxesMeet(line.box, box))
    .flatMap(({ points }) => runsIn(points, box))
    .map((run) => pathData(run, origin))
    .join('');
}

/** Path data of the areas inside the box. The first point of a ring may come again as its last. */
export function areaPath(rings: readonly MapLine[], box: Box, origin: Box): string {
  return rings
    .filter((ring) => boxesMeet(ring.box, box))
    .map(({ points }) => clipRing(points, box).map(Math.round))
    .filter((ring) => ring.length >= 6)
    .map((ring) => `${pathData(ring, origin)}z`)
    .join('');
}

/** Whether one of the areas contains the whole box. */
export function isCovered(box: Box, rings: readonly MapLine[]): boolean {
  const whole = (box.right - box.left) * (box.bottom - box.top);
  return rings.some((ring) => boxesMeet(ring.box, box) && Math.abs(areaOf(clipRing(ring.points, box))) === whole);
}

/** Positive or negative, by the direction of the ring. */
function areaOf(ring: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const next = (at + 2) % ring.length;
    twice += (ring[at] as number) * (ring[next + 1] as number) - (ring[next] as number) * (ring[at + 1] as number);
  }
  return twice / 2;
}

/** Path data of a line, in steps from point to point. */
export function pathData(points: readonly number[], { left, top }: Pick<Box, 'left' | 'top'>): string {
  let [x, y] = [points[0] as number, points[1] as number];
  let path = `M${x - left}${joined(y - top)}`;
  let command = 'l';
  for (let at = 2; at < points.length; at += 2) {
    const [dx, dy] = [(points[at] as number) - x, (points[at + 1] as number) - y];
    if (dx === 0 && dy === 0) continue;
    path += `${command === '' ? joined(dx) : command + dx}${joined(dy)}`;
    command = '';
    [x, y] = [x + dx, y + dy];
  }
  return path;
}

/** Height of the rows in which dots follow each other, units. */
const ROW = 60;

/**
 * Points as path data of lines without length, whose round caps are dots. Each is relative to the one before it, row by
 * row: small numbers, which also compress better.
 */
export function dotsPath(
  points: readonly { readonly x: number; readonly y: number }[],
  { left, top }: Pick<Box, 'left' | 'top'>,
): string {
  const rowOf = (y: number) => Math.floor((y - top) / ROW);
  // Every other row from right to left.
  const along = ({ x, y }: { x: number; y: number }) => (rowOf(y) % 2 === 0 ? x : -x);
  const ordered = points.toSorted((a, b) => rowOf(a.y) - rowOf(b.y) || along(a) - along(b) || a.y - b.y);
  let [lastX, lastY] = [left, top];
  let path = '';
  for (const { x, y } of ordered) {
    path += `${path === '' ? 'M' : 'm'}${x - lastX}${joined(y - lastY)}h0`;
    [lastX, lastY] = [x, y];
  }
  return path;
}

/** A number after another one: a minus sign needs no space before it. */
function joined(number: number): string {
  return number < 0 ? `${number}` : ` ${number}`;
}

/** The stretches of a line whose segments may meet the box, each with both its ends. */
function runsIn(points: readonly number[], { left, top, right, bottom }: Box): number[][] {
  const runs: number[][] = [];
  let run: number[] | undefined;
  for (let at = 2; at < points.length; at += 2) {
    const [x0, y0] = [points[at - 2] as number, points[at - 1] as number];
    const [x1, y1] = [points[at] as number, points[at + 1] as number];
    const isOutside =
      (x0 < left && x1 < left) || (x0 > right && x1 > right) || (y0 < top && y1 < top) || (y0 > bottom && y1 > bottom);
    if (isOutside) {
      run = undefined;
      continue;
    }
    if (run === undefined) {
      run = [x0, y0];
      runs.push(run);
    }
    run.push(x1, y1);
  }
  return runs;
}

/** The smallest box around points. */
export function boundingBox(points: ArrayLike<number>): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.top) box.top = y;
    if (y > box.bottom) box.bottom = y;
  }
  return box;
}
