/** The title of a station's page: as much as search engines show whole. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import { motorwayPosition } from '../../../domain/stations/motorway-address.ts';
import { formatOneDecimal } from '../../html/formats.ts';
import { MAX_TITLE_LENGTH, pageTitle, shortenedText } from '../../html/page-title.ts';
import { pricesInWords } from '../../parts/fuel-words.ts';
import type { StationDetails } from './station-data.ts';

/** Below this an address says too little. */
const MIN_ADDRESS = 8;

/** `Rompetrol B-dul Libertății 382, Cluj-Napoca: benzină 9,59 lei`, with more prices where there is room. */
export function stationTitle(details: StationDetails, language: Language): string {
  const { station, city, namesake } = details;
  const name = station.name ?? station.network.name;
  const number = namesake === null ? '' : ` (${namesake})`;
  const address = streetAddress(details);
  const town = city === null || mentions(address, city.name, station.city) ? '' : `, ${city.name}`;
  const tails = tailsOf(details, language);
  const head = `${name}${address === '' ? '' : ` ${address}`}${number}${town}`;
  const place = `${number}${city === null ? '' : `, ${city.name}`}`;
  const short = motorwayTitle(name, place, details, tails[0], language) ?? shortTitle(name, address, place, tails[0]);
  if (head.length + tails[0].length > MAX_TITLE_LENGTH) return short;
  return pageTitle([head + tails[0], ...tails.map((tail) => head + tail)]);
}

/** The address without the postcode and the town that some sources write at its end. */
function streetAddress({ station, city }: StationDetails): string {
  const ends = [station.city, city?.name ?? ''].filter((name) => name !== '').map((name) => name.toLowerCase());
  const parts = station.address.split(/,\s*/);
  while (parts.length > 1) {
    const last = (parts.at(-1) as string).toLowerCase();
    if (!ends.includes(last) && !/^\d{6}$/.test(last)) break;
    parts.pop();
  }
  return parts.join(', ');
}

const TOWARDS: LocalizedText = { ro: 'spre', en: 'towards' };

/** With the kilometre and the direction, by which the two stations of a service area differ; `null` without them. */
function motorwayTitle(
  name: string,
  place: string,
  { station }: StationDetails,
  tail: string,
  language: Language,
): string | null {
  const { ref = null, km = null, towards = null } = motorwayPosition(station.address) ?? {};
  if (ref === null || km === null || towards === null) return null;
  const position = `${name} ${ref} km ${formatOneDecimal(km, language)} ${TOWARDS[language]} ${towards}`;
  const titles = [`${position}${place}${tail}`, `${position}${tail}`, position];
  return titles.find(({ length }) => length <= MAX_TITLE_LENGTH) ?? null;
}

/** With as much of the address as there is room for besides the town, which the cut address may no longer name. */
function shortTitle(name: string, address: string, town: string, tail: string): string {
  const room = MAX_TITLE_LENGTH - name.length - town.length - tail.length - 1;
  if (room < MIN_ADDRESS) return `${shortenedText(name, MAX_TITLE_LENGTH - town.length - tail.length)}${town}${tail}`;
  return `${name} ${shortenedAddress(address, room)}${town}${tail}`;
}

/** The house number stays: by it neighbours differ. */
function shortenedAddress(address: string, length: number): string {
  const number = /\s(?:nr\.? ?)?\d[\w/-]*$/i.exec(address)?.[0] ?? '';
  if (number.length > length / 2) return shortenedText(address, length);
  return `${shortenedText(address.slice(0, address.length - number.length), length - number.length)}${number}`;
}

function mentions(address: string, ...names: readonly string[]): boolean {
  const plain = address.toLowerCase();
  return names.some((name) => name !== '' && plain.includes(name.toLowerCase()));
}

/** What may follow the name, the least that says something first. */
function tailsOf({ verdicts }: StationDetails, language: Language): [string, ...string[]] {
  const priceOf = (fuel: RoadFuel) => trustedPrice(verdicts.get(fuel));
  const priced = ROAD_FUELS.filter((fuel) => priceOf(fuel) !== null);
  const [first, ...more] = priced.map((_, at) => `: ${pricesInWords(priced.slice(0, at + 1), priceOf, language)} lei`);
  return first === undefined ? [{ ro: ': prețuri carburanți', en: ': fuel prices' }[language]] : [first, ...more];
}
