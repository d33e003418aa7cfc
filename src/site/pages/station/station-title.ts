/** The title of a station's page: as much as search engines show whole. */

import { SERVICE_NAME } from '../../../domain/access/plans.ts';
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import { pricesInWords } from '../../parts/fuel-words.ts';
import type { StationDetails } from './station-data.ts';

const MAX_LENGTH = 66;
/** Below this an address says too little. */
const MIN_ADDRESS = 8;

/** `Rompetrol B-dul Libertății 382, Cluj-Napoca: benzină 9,59 lei`, with more prices where there is room. */
export function stationTitle(details: StationDetails, language: Language): string {
  const { station, city } = details;
  const name = station.name ?? station.network.name;
  const town = city === null || mentions(station.address, city.name, station.city) ? '' : `, ${city.name}`;
  const tails = tailsOf(details, language);
  const head = `${name}${station.address === '' ? '' : ` ${station.address}`}${town}`;
  const whole = tails.map((tail) => head + tail).filter(({ length }) => length <= MAX_LENGTH);
  const longest = whole.reduce<string | null>((best, each) => (each.length > (best?.length ?? 0) ? each : best), null);
  if (longest !== null) return longest;
  return shortTitle(name, station.address, city === null ? '' : `, ${city.name}`, tails[0] ?? '');
}

/** With as much of the address as there is room for besides the town, which the cut address may no longer name. */
function shortTitle(name: string, address: string, town: string, tail: string): string {
  const room = MAX_LENGTH - name.length - town.length - tail.length - 1;
  if (room < MIN_ADDRESS) return `${shortened(name, MAX_LENGTH - town.length - tail.length)}${town}${tail}`;
  return `${name} ${shortened(address, room)}${town}${tail}`;
}

function mentions(address: string, ...names: readonly string[]): boolean {
  const plain = address.toLowerCase();
  return names.some((name) => name !== '' && plain.includes(name.toLowerCase()));
}

/** What may follow the name, the least that says something first. */
function tailsOf({ verdicts }: StationDetails, language: Language): string[] {
  const priceOf = (fuel: RoadFuel) => trustedPrice(verdicts.get(fuel));
  const priced = ROAD_FUELS.filter((fuel) => priceOf(fuel) !== null);
  if (priced.length === 0) {
    const alone = { ro: ': prețuri carburanți', en: ': fuel prices' }[language];
    return [alone, `${alone} | ${SERVICE_NAME}`];
  }
  const some = priced.map((_, index) => `: ${pricesInWords(priced.slice(0, index + 1), priceOf, language)} lei`);
  return some.flatMap((tail) => [tail, `${tail} | ${SERVICE_NAME}`]);
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\s,.]+$/, '')}…`;
}
