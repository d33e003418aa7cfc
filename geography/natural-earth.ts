import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** One polygon: the outer ring, then its holes; a ring is a closed list of [longitude, latitude]. */
export type Polygon = [number, number][][];

type Feature = {
  properties: { iso_a2: string; iso_3166_2: string };
  geometry: { type: 'Polygon'; coordinates: Polygon } | { type: 'MultiPolygon'; coordinates: Polygon[] };
};

/**
 * The polygons of the Romanian counties by plate code, at 4 decimals (11 m), from Natural Earth's gzipped GeoJSON of
 * first-level units.
 */
export function readCountyPolygons(path: string): Map<string, Polygon[]> {
  const { features } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as { features: Feature[] };
  return new Map(
    features
      .filter((feature) => feature.properties.iso_a2 === 'RO')
      .map(({ properties, geometry }) => [
        properties.iso_3166_2.slice(3),
        (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates).map(rounded),
      ]),
  );
}

function rounded(polygon: Polygon): Polygon {
  return polygon.map((ring) => ring.map(([lng, lat]) => [round(lng), round(lat)]));
}

function round(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4;
}
