/** The border of Romania, those between its counties, and the Danube along both, from the polygons of the counties. */
import type { County } from '../../domain/places/county.ts';
import type { Point } from '../../domain/point.ts';

/** Lines of points. */
export type CountyBorders = {
  /** The outline of the country, as closed rings. */
  readonly outline: readonly (readonly Point[])[];
  readonly internal: readonly (readonly Point[])[];
  readonly danube: readonly (readonly Point[])[];
};

/** An edge of a polygon, and the counties on its sides. */
type Edge = { readonly from: Point; readonly to: Point; readonly counties: string[] };

/** Joins the edges of the polygons to lines: two counties share an internal edge, one alone has a national one. */
export function countyBorders(counties: readonly County[]): CountyBorders {
  const edges = new Map<string, Edge>();
  for (const { code, polygons } of counties) {
    for (const ring of polygons.flat()) addRing(edges, code, ring);
  }
  const all = [...edges.values()];
  return {
    outline: outlineOf(all.filter(({ counties: sides }) => sides.length === 1)),
    internal: joinEdges(all.filter(({ counties: sides }) => sides.length > 1)),
    danube: joinEdges(all.filter(isDanube)),
  };
}

function addRing(edges: Map<string, Edge>, code: string, ring: readonly (readonly [number, number])[]): void {
  for (const [index, to] of ring.entries()) {
    const from = ring[index - 1];
    if (from === undefined) continue;
    const key = [from, to].map(String).sort().join(' ');
    const known = edges.get(key);
    if (known) known.counties.push(code);
    else edges.set(key, { from: toPoint(from), to: toPoint(to), counties: [code] });
  }
}

function toPoint([lng, lat]: readonly [number, number]): Point {
  return { lat, lng };
}

/** Closed rings of edges. All polygons run the same way round, so that each edge begins where another one ends. */
function outlineOf(edges: readonly Edge[]): Point[][] {
  const after = new Map(edges.map((edge) => [`${edge.from.lng},${edge.from.lat}`, edge]));
  const rings: Point[][] = [];
  for (const first of edges) {
    const ring = [first.from];
    let next: Edge | undefined = first;
    while (next !== undefined && after.delete(`${next.from.lng},${next.from.lat}`)) {
      ring.push(next.to);
      next = after.get(`${next.to.lng},${next.to.lat}`);
    }
    if (ring.length > 1) rings.push(ring);
  }
  return rings;
}

/** Edges end to end, in the order in which the polygons have them. */
function joinEdges(edges: readonly Edge[]): Point[][] {
  const lines: Point[][] = [];
  let line: Point[] = [];
  for (const { from, to } of edges) {
    if (isSame(line.at(-1), from)) line.push(to);
    else {
      line = [from, to];
      lines.push(line);
    }
  }
  return lines;
}

function isSame(a: Point | undefined, b: Point): boolean {
  return a !== undefined && a.lat === b.lat && a.lng === b.lng;
}

/** North of the Danube, and east of it in Dobruja. */
const LEFT_BANK = new Set(['CS', 'MH', 'DJ', 'OT', 'TR', 'GR', 'CL', 'IL', 'BR', 'GL']);
const DOBRUJA = new Set(['CT', 'TL']);
/** Where the river reaches the border (Baziaș) and leaves it (Silistra), and where the Chilia arm meets the sea. */
const [BAZIAS, SILISTRA, CHILIA] = [
  { lat: 44.83, lng: 21.37 },
  { lat: 44.1, lng: 27.29 },
  { lat: 45.1, lng: 29.62 },
];

/** Source: the course of the river, which these borders follow. */
function isDanube({ from, to, counties }: Edge): boolean {
  const [county = '', other] = counties;
  if (other !== undefined) {
    return counties.some((code) => DOBRUJA.has(code)) && counties.some((code) => LEFT_BANK.has(code));
  }
  const isAll = (rule: (point: Point) => boolean) => rule(from) && rule(to);
  if (county === 'TL') return isAll(({ lat, lng }) => lat > CHILIA.lat && lng < CHILIA.lng);
  if (!LEFT_BANK.has(county) || county === 'GL') return false;
  return isAll(({ lat, lng }) => lat < BAZIAS.lat && lng > BAZIAS.lng && lng < SILISTRA.lng);
}
