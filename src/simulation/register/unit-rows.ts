/** The register's rows of administrative units. */
import type { Country } from '../country/country.ts';
import type { SimulatedUnit } from '../country/simulated-station.ts';
import type { Row } from './register-rows.ts';

/** The units in an answer to a request without a name, as recorded in April 2026. */
const DEFAULT_UNITS = new Set([
  1017, 1213, 9262, 13169, 13622, 20297, 26564, 40198, 42682, 54975, 60419, 69900, 70352, 75098, 86990, 95060, 95391,
  130534, 155243, 179132,
]);

/** County names as the register writes them, with cedillas. */
const COUNTIES =
  'AB Alba|AG Argeş|AR Arad|B Bucureşti|BC Bacău|BH Bihor|BN Bistriţa-Năsăud|BR Brăila|BT Botoşani|' +
  'BV Braşov|BZ Buzău|CJ Cluj|CL Călăraşi|CS Caraş-Severin|CT Constanţa|CV Covasna|DB Dâmboviţa|DJ Dolj|' +
  'GJ Gorj|GL Galaţi|GR Giurgiu|HD Hunedoara|HR Harghita|IF Ilfov|IL Ialomiţa|IS Iaşi|MH Mehedinţi|' +
  'MM Maramureş|MS Mureş|NT Neamţ|OT Olt|PH Prahova|SB Sibiu|SJ Sălaj|SM Satu Mare|SV Suceava|TL Tulcea|' +
  'TM Timiş|TR Teleorman|VL Vâlcea|VN Vrancea|VS Vaslui';
const COUNTY_NAMES = new Map(
  COUNTIES.split('|').map((entry): [string, string] => [entry.split(' ', 1)[0] ?? '', entry.replace(/^\S+ /, '')]),
);

/** `GetUATByName`: without a name the default cities, with one every unit whose name contains it. */
export function unitRows(country: Country, name: string | null): readonly Row[] {
  const found = country.units.filter((unit) =>
    name === null ? DEFAULT_UNITS.has(unit.siruta) : unitName(unit).includes(name) || unit.ascii.includes(name),
  );
  return found.map(unitRow);
}

function unitRow(unit: SimulatedUnit): Row {
  return { id: String(unit.siruta), name: unitName(unit), routeId: String(unit.siruta * 2), wkt: boundingBox(unit) };
}

function unitName({ name, county, population }: SimulatedUnit): string {
  const rank = population >= 25_000 ? 'Municipiul' : population >= 5_000 ? 'Oraş' : 'Comuna';
  const cedilla = name.replaceAll('ș', 'ş').replaceAll('ț', 'ţ').replaceAll('Ș', 'Ş').replaceAll('Ț', 'Ţ');
  return `${rank} ${cedilla}, ${COUNTY_NAMES.get(county) ?? county}`;
}

function boundingBox({ lat, lng, radiusKm }: SimulatedUnit): string {
  const [dLat, dLng] = [radiusKm / 111, radiusKm / 78];
  const [south, north, west, east] = [lat - dLat, lat + dLat, lng - dLng, lng + dLng];
  const corners = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ] as const;
  return `POLYGON((${corners.map(([x, y]) => `${x.toFixed(12)} ${y.toFixed(12)}`).join(',')}))`;
}
