import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { County } from '../domain/places/county.ts';
import { createGazetteer, type Gazetteer } from '../domain/places/gazetteer.ts';
import type { Locality } from '../domain/places/locality.ts';

/** A row of `geography/localities.json`; an empty ASCII name = the name itself, other names are joined by `|`. */
type LocalityRow = [
  name: string,
  ascii: string,
  slug: string,
  county: string,
  lat: number,
  lng: number,
  population: number,
  siruta: number | null,
  alternates: string,
  commune?: string,
];

let loaded: Gazetteer | undefined;

/**
 * The gazetteer of `geography/localities.json` and `counties.json`, read once per process. Throws if a file is missing
 * or broken.
 */
export function loadGazetteer(): Gazetteer {
  loaded ??= createGazetteer(
    (read('localities.json') as LocalityRow[]).map(toLocality),
    read('counties.json') as County[],
  );
  return loaded;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../geography', file), 'utf8'));
}

function toLocality([
  name,
  ascii,
  slug,
  county,
  lat,
  lng,
  population,
  siruta,
  alternates,
  commune,
]: LocalityRow): Locality {
  return {
    name,
    ascii: ascii || name,
    slug,
    county,
    lat,
    lng,
    population,
    siruta,
    alternates: alternates === '' ? [] : alternates.split('|'),
    ...(commune && { commune }),
  };
}
