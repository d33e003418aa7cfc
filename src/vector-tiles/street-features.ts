/** What a map draws of a vector tile, in the schema of Protomaps (version 4) or of OpenMapTiles (version 3). */
import { visibleText } from '../domain/visible-text.ts';
import type { RawFeature } from './decode-tile.ts';

/** Areas, then lines, each in the order in which they lie on each other. */
export const AREA_KINDS = ['green', 'works', 'water', 'building'] as const;
export const ROAD_KINDS = ['path', 'service', 'street', 'secondary', 'main', 'motorway'] as const;
export const LINE_KINDS = ['river', 'rail', 'border', ...ROAD_KINDS] as const;

export type AreaKind = (typeof AREA_KINDS)[number];
export type RoadKind = (typeof ROAD_KINDS)[number];
export type LineKind = (typeof LINE_KINDS)[number];

/** What can be said of a road on a map, such as `Strada Memorandumului` or `DN1`; `''` = nothing. */
export type RoadNames = { readonly name: string; readonly ref: string };

/** Which kind of area or line a feature is; `null` = it is not drawn. */
export function kindOf(layer: string, feature: RawFeature): AreaKind | LineKind | null {
  const kind = KINDS[layer]?.(feature) ?? null;
  if (kind === null) return null;
  const isArea = (AREA_KINDS as readonly string[]).includes(kind);
  return isArea === (feature.type === 'polygon') && feature.type !== 'point' ? kind : null;
}

/** Layers of which something is drawn. */
export function isDrawn(layer: string): boolean {
  return Object.hasOwn(KINDS, layer);
}

/** The names of a line of a layer of roads; `null` = it has none. */
export function roadNames(layer: string, { type, property }: RawFeature): RoadNames | null {
  if (!NAMED_LAYERS.has(layer) || type !== 'line') return null;
  const [name, ref] = [textOf(property('name'), MAX_NAME), firstNumber(property('ref'))];
  return name === '' && ref === '' ? null : { name, ref };
}

/** The kind of road that a named line belongs to. */
export function namedKind(layer: string, feature: RawFeature): RoadKind | null {
  const kind = layer === 'transportation_name' ? openMapTilesRoad(feature) : protomapsRoad(feature);
  return kind === 'rail' ? null : kind;
}

const NAMED_LAYERS = new Set(['roads', 'transportation_name']);
const MAX_NAME = 60;
const MAX_REF = 8;

type KindFinder = (feature: RawFeature) => AreaKind | LineKind | null;
const text = ({ property }: RawFeature, name: string) => String(property(name) ?? '');

const GREEN = new Set([
  ...['allotments', 'cemetery', 'dog_park', 'farmland', 'forest', 'garden', 'golf_course', 'grass', 'grassland'],
  ...['meadow', 'national_park', 'nature_reserve', 'orchard', 'park', 'playground', 'protected_area'],
  ...['recreation_ground', 'scrub', 'village_green', 'wetland', 'wood', 'zoo'],
]);
/** Protected areas and fields cover whole counties, and would hide what lies in them. */
const TOO_WIDE = new Set(['farmland', 'national_park', 'nature_reserve', 'protected_area']);
const WORKS = new Set([
  'aerodrome',
  'commercial',
  'hospital',
  'industrial',
  'military',
  'railway',
  'retail',
  'stadium',
]);

function landKind(name: string): AreaKind | null {
  if (TOO_WIDE.has(name)) return null;
  if (GREEN.has(name)) return 'green';
  return WORKS.has(name) ? 'works' : null;
}

const WATERWAYS = new Set(['river', 'riverbank', 'canal', 'stream']);

/** By layer; only `water` has the same name in both schemas. */
const KINDS: Readonly<Record<string, KindFinder>> = {
  // Protomaps: polygons, and rivers as lines. OpenMapTiles: polygons.
  water: (feature) => {
    if (feature.type === 'polygon') return text(feature, 'kind') === 'playa' ? null : 'water';
    const kind = text(feature, 'kind_detail') || text(feature, 'kind');
    return WATERWAYS.has(kind) && feature.property('tunnel') === undefined ? 'river' : null;
  },
  buildings: (feature) => (text(feature, 'kind') === 'address' ? null : 'building'),
  landuse: (feature) => landKind(text(feature, 'kind') || text(feature, 'class')),
  roads: (feature) => protomapsRoad(feature),
  boundaries: (feature) => (text(feature, 'kind') === 'country' ? 'border' : null),
  building: () => 'building',
  landcover: (feature) => landKind(text(feature, 'class')),
  park: () => null,
  waterway: (feature) =>
    WATERWAYS.has(text(feature, 'class')) && text(feature, 'brunnel') !== 'tunnel' ? 'river' : null,
  transportation: (feature) => openMapTilesRoad(feature),
  transportation_name: () => null,
  boundary: (feature) =>
    feature.property('admin_level') === 2 && feature.property('maritime') !== 1 ? 'border' : null,
};

/** By OpenStreetMap's class of a road, links included. */
const ROADS: ReadonlyMap<string, RoadKind> = new Map([
  ['motorway', 'motorway'],
  ['trunk', 'main'],
  ['primary', 'main'],
  ['secondary', 'secondary'],
  ['tertiary', 'secondary'],
  ['residential', 'street'],
  ['unclassified', 'street'],
  ['living_street', 'street'],
  ['pedestrian', 'street'],
  ['road', 'street'],
  ['minor', 'street'],
  ['service', 'service'],
]);
const LINK = /_(link|construction)$/;
const PATHS = new Set(['footway', 'cycleway', 'path', 'steps', 'track', 'bridleway']);

function protomapsRoad(feature: RawFeature): RoadKind | 'rail' | null {
  const kind = text(feature, 'kind');
  const detail = text(feature, 'kind_detail').replace(LINK, '');
  if (kind === 'rail') return detail === 'subway' || text(feature, 'service') !== '' ? null : 'rail';
  if (kind === 'path') return PATHS.has(detail) ? 'path' : detail === 'pedestrian' ? 'street' : null;
  if (kind === 'highway') return 'motorway';
  if (kind === 'major_road') return ROADS.get(detail) ?? 'secondary';
  return kind === 'minor_road' ? (ROADS.get(detail) ?? 'service') : null;
}

function openMapTilesRoad(feature: RawFeature): RoadKind | 'rail' | null {
  const kind = text(feature, 'class');
  if (kind === 'rail') return text(feature, 'service') === '' ? 'rail' : null;
  if (kind === 'path' || kind === 'track') return text(feature, 'subclass') === 'pedestrian' ? 'street' : 'path';
  return ROADS.get(kind) ?? null;
}

function textOf(value: string | number | boolean | undefined, longest: number): string {
  if (typeof value !== 'string' || value.length > longest) return '';
  return visibleText(value) ?? '';
}

/** `DN1;E60` → `DN1`. */
function firstNumber(value: string | number | boolean | undefined): string {
  return textOf(typeof value === 'string' ? value.split(';')[0]?.replaceAll(' ', '') : value, MAX_REF);
}
