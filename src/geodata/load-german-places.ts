import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { County } from '../domain/places/county.ts';
import { createGermanPlaces, type GermanPlaces } from '../domain/places/german-places.ts';
import type { Locality } from '../domain/places/locality.ts';
import { asciiName } from '../domain/places/place-names.ts';

/** A row of `geography/german-towns.json`; other names are joined by `|`. */
type TownRow = [id: number, name: string, state: string, lat: number, lng: number, population: number, others: string];
/** A row of `geography/german-postcodes.json`: the postcodes of a town, separated by spaces. */
type PostcodeRow = [id: number, postcodes: string];

const STATES: readonly County[] = [
  state('BW', 'Baden-Württemberg'),
  state('BY', 'Bayern', 'Bavaria'),
  state('BE', 'Berlin'),
  state('BB', 'Brandenburg'),
  state('HB', 'Bremen'),
  state('HH', 'Hamburg'),
  state('HE', 'Hessen', 'Hessa', 'Hesse'),
  state('MV', 'Mecklenburg-Vorpommern'),
  state('NI', 'Niedersachsen', 'Saxonia Inferioară', 'Lower Saxony'),
  state('NW', 'Nordrhein-Westfalen', 'Renania de Nord-Westfalia', 'North Rhine-Westphalia', 'NRW'),
  state('RP', 'Rheinland-Pfalz', 'Renania-Palatinat', 'Rhineland-Palatinate'),
  state('SL', 'Saarland'),
  state('SN', 'Sachsen', 'Saxonia', 'Saxony'),
  state('ST', 'Sachsen-Anhalt', 'Saxonia-Anhalt', 'Saxony-Anhalt'),
  state('SH', 'Schleswig-Holstein'),
  state('TH', 'Thüringen', 'Turingia', 'Thuringia'),
];

let loaded: GermanPlaces | undefined;

/** The towns of `geography/german-towns.json`, read once per process. Throws if a file is missing or broken. */
export function loadGermanPlaces(): GermanPlaces {
  loaded ??= readPlaces();
  return loaded;
}

function readPlaces(): GermanPlaces {
  const towns = new Map((read('german-towns.json') as TownRow[]).map((row) => [row[0], toTown(row)]));
  const townOf = new Map<string, Locality>();
  for (const [id, postcodes] of read('german-postcodes.json') as PostcodeRow[]) {
    const town = towns.get(id);
    if (town === undefined)
      throw new Error(`german-postcodes.json names the town ${id}, which german-towns.json lacks`);
    for (const postcode of postcodes.split(' ')) townOf.set(postcode, town);
  }
  return createGermanPlaces([...towns.values()], STATES, townOf);
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../geography', file), 'utf8'));
}

function toTown([id, name, county, lat, lng, population, others]: TownRow): Locality {
  const alternates = others === '' ? [] : others.split('|');
  return { name, ascii: asciiName(name), slug: String(id), county, lat, lng, population, siruta: null, alternates };
}

function state(code: string, name: string, ...aliases: string[]): County {
  return { code, name, ascii: asciiName(name), aliases, polygons: [] };
}
