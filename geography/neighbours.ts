/**
 * Builds `neighbours.json`, the sea and the borders between the countries around Romania, from npm `world-atlas`:
 * `node geography/neighbours.ts`. Sources: README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Box, clipRing } from '../src/algorithms/clip-ring.ts';
import { thinLine } from '../src/algorithms/thin-line.ts';

/** TopoJSON: arcs are lists of steps; an index `~n` means arc `n` backwards. */
type Arcs = readonly (readonly (readonly [number, number])[])[];
type Country = { readonly properties: { readonly name: string } } & Shape;
type Shape =
  | { readonly type: 'Polygon'; readonly arcs: readonly (readonly number[])[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly (readonly number[])[])[] };
type Topology = {
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly arcs: Arcs;
  readonly objects: {
    readonly countries: { readonly geometries: readonly Country[] };
    readonly land: { readonly geometries: readonly Shape[] };
  };
};

const SOURCE = join(import.meta.dirname, '../node_modules/world-atlas/countries-10m.json');
/** What a map of Romania can show around it, degrees. The sea ends at the coasts within: the land beyond is plain. */
const WINDOW: Box = { left: 13, top: 40.9, right: 42, bottom: 51.5 };
/** Where the lines stay as fine as the source. */
const NEAR: Box = { left: 19, top: 43, right: 31, bottom: 49 };
/** Tolerances of the lines, degrees. */
const [FINE, COARSE] = [0.002, 0.02];

const { arcs, transform, objects } = JSON.parse(readFileSync(SOURCE, 'utf8')) as Topology;
const lines = arcs.map(positions);
const land = objects.land.geometries
  .flatMap(ringsOf)
  .map((ring) => clipRing(ring.flatMap(lineOf).slice(0, -2), WINDOW))
  .filter((ring) => ring.length > 4)
  .map((ring) => thinned([...ring, ...ring.slice(0, 2)]));
const borders = bordersBetweenNeighbours().map(lineOf).filter(isInWindow).map(thinned);

const rows = { window: [WINDOW.left, WINDOW.top, WINDOW.right, WINDOW.bottom], land, borders };
const text = JSON.stringify(rows).replaceAll('],[', '],\n[');
writeFileSync(join(import.meta.dirname, 'neighbours.json'), `${text}\n`);
console.log(`neighbours.json: ${land.length} coasts, ${borders.length} borders, ${Math.round(text.length / 1000)} kB`);

/** An arc as longitude and latitude in turn. */
function positions(arc: Arcs[number]): number[] {
  let [x, y] = [0, 0];
  return arc.flatMap(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]];
  });
}

function ringsOf(shape: Shape): readonly (readonly number[])[] {
  return shape.type === 'Polygon' ? shape.arcs : shape.arcs.flat();
}

function lineOf(index: number): number[] {
  const line = lines[index < 0 ? ~index : index] as number[];
  if (index >= 0) return line;
  return Array.from({ length: line.length / 2 }, (_, at) => line.slice(line.length - 2 * at - 2).slice(0, 2)).flat();
}

/** Arcs that two countries share, without those of Romania, whose border comes from `counties.json`. */
function bordersBetweenNeighbours(): number[] {
  const users = new Map<number, string[]>();
  for (const country of objects.countries.geometries) {
    for (const index of ringsOf(country).flat()) {
      const arc = index < 0 ? ~index : index;
      users.set(arc, [...(users.get(arc) ?? []), country.properties.name]);
    }
  }
  return [...users].filter(([, names]) => names.length > 1 && !names.includes('Romania')).map(([arc]) => arc);
}

function isInWindow(line: readonly number[]): boolean {
  return line.some((lng, at) => at % 2 === 0 && isInside(lng, line[at + 1] as number, WINDOW));
}

function isInside(lng: number, lat: number, { left, top, right, bottom }: Box): boolean {
  return lng >= left && lng <= right && lat >= top && lat <= bottom;
}

/** Fine near Romania, coarse elsewhere; at 3 decimals (100 m). */
function thinned(line: readonly number[]): number[] {
  const near = line.some((lng, at) => at % 2 === 0 && isInside(lng, line[at + 1] as number, NEAR));
  return thinLine(line, near ? FINE : COARSE).map((degrees) => Math.round(degrees * 1e3) / 1e3);
}
