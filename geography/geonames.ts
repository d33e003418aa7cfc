import { readFileSync } from 'node:fs';
import { foldName } from '../src/domain/places/place-names.ts';
import { CORRECTIONS, DUPLICATE_ROWS, MISSING_TOWNS } from './corrections.ts';
import { plateCode } from './county-names.ts';
import type { SourcePlace } from './source-place.ts';
import { TOWNS } from './towns.ts';

/**
 * The Romanian populated places of a GeoNames `cities500` dump (tab-separated), with our corrections, most populous
 * first, then by id. Throws if the dump lacks a town that it should have.
 */
export function readPlaces(path: string): SourcePlace[] {
  const read = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((columns) => columns[8] === 'RO' && columns[7] !== 'PPLX') // PPLX: a quarter, e.g. Bucharest's sectors
    .map(toPlace)
    .filter((place) => !DUPLICATE_ROWS.has(place.id))
    .map((place) => ({ ...place, ...CORRECTIONS[place.id] }));
  const places = [...read, ...MISSING_TOWNS.map((town) => ({ ...town }))];
  movePopulationToSeats(places);
  applyTownSpellings(places);
  return places.sort((a, b) => b.population - a.population || a.id - b.id);
}

function toPlace(columns: string[]): SourcePlace {
  const column = (index: number): string => columns[index] ?? '';
  return {
    id: Number(column(0)),
    name: romanianLetters(column(1)),
    county: plateCode(column(10)),
    lat: Number(column(4)),
    lng: Number(column(5)),
    siruta: column(11) === '' ? null : Number(column(11)),
    population: Number(column(14)),
    seat: column(7).startsWith('PPLA') || column(7) === 'PPLC',
    alternates: column(3).split(',').map(romanianLetters),
  };
}

/** Comma instead of cedilla below s and t (1,087 names), and no acute accent: `Faraoaní` is a typing error. */
function romanianLetters(name: string): string {
  return name.replaceAll('ş', 'ș').replaceAll('ţ', 'ț').replaceAll('Ş', 'Ș').replaceAll('Ţ', 'Ț').replaceAll('í', 'i');
}

/**
 * Moves a seat's population back from a village at the same point, where GeoNames sometimes puts it (Flămânzi's on
 * Storești).
 */
function movePopulationToSeats(places: SourcePlace[]): void {
  for (const seat of places) {
    if (!seat.seat || seat.population > 0) continue;
    const village = places.find(
      (p) => p !== seat && p.siruta === seat.siruta && p.lat === seat.lat && p.lng === seat.lng,
    );
    if (!village) continue;
    seat.population = village.population;
    village.population = 0;
  }
}

function applyTownSpellings(places: SourcePlace[]): void {
  for (const [county, names] of Object.entries(TOWNS)) {
    for (const name of names.split(', ')) {
      const [town] = places
        .filter((place) => place.county === county && foldName(place.name) === foldName(name))
        .sort((a, b) => b.population - a.population);
      if (!town) throw new Error(`GeoNames has no ${name} in ${county}: add it to corrections.ts`);
      town.name = name;
    }
  }
}
