/** The simulated country of this folder's tests, over the real gazetteer. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { County } from '../../domain/places/county.ts';
import { createGazetteer } from '../../domain/places/gazetteer.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { parseRoads } from '../../domain/roads/road-file.ts';
import { type Country, simulateCountry } from './country.ts';
import { type AnomalyKind, registerKey, type SimulatedStation } from './simulated-station.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** 21 November 2026, 10:00 in Bucharest. */
export const EPOCH = Date.parse('2026-11-21T08:00:00Z');
export const DAY_MS = 86_400_000;

type LocalityRow = readonly [string, string, string, string, number, number, number, number | null, string];

export const localities: readonly Locality[] = (read('geography/localities.json') as LocalityRow[]).map(
  ([name, ascii, slug, county, lat, lng, population, siruta]) => {
    return { name, ascii: ascii || name, slug, county, lat, lng, population, siruta, alternates: [] };
  },
);
export const counties = read('geography/counties.json') as readonly County[];
export const unitCodes = read('src/sources/register/units.json') as readonly number[];

/** A new country per call, so that no test sees what another one has computed. */
export function exampleCountry(seed = 7, epoch = EPOCH): Country {
  return simulateCountry({ localities, units: unitCodes, seed, epoch });
}

/** The same country with stations on its motorways, as the demo has them. */
export function countryWithMotorways(): Country {
  const gazetteer = createGazetteer(localities, counties);
  const { roads } = parseRoads(readText('geography/roads.txt'), (name, county) => {
    const resolved = gazetteer.resolvePlace(`${name}, ${county}`);
    return 'found' in resolved ? resolved.found : undefined;
  });
  return simulateCountry({ localities, units: unitCodes, roads, seed: 7, epoch: EPOCH });
}

/** The stations with an anomaly of a kind. */
export function stationsWithAnomaly(country: Country, kind: AnomalyKind): SimulatedStation[] {
  return country.stations.filter(({ anomalies }) => anomalies.some((anomaly) => anomaly.kind === kind));
}

/** The station of a key; throws when there is none. */
export function stationOf(country: Country, key: string): SimulatedStation {
  const station = country.stations.find((candidate) => registerKey(candidate) === key);
  if (!station) throw new Error(`no station ${key}`);
  return station;
}

function read(path: string): unknown {
  return JSON.parse(readText(path));
}

function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}
