/** The subject of a page of the site, derived from its address alone, and the address of a page. Rule 41. */
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';

/** Fuels as page addresses write them. */
const FUEL_SLUG: Readonly<Record<RoadFuel, string>> = {
  petrol: 'benzina',
  petrol_premium: 'benzina-premium',
  diesel: 'motorina',
  diesel_premium: 'motorina-premium',
  lpg: 'gpl',
};

export type PageSubject = {
  /** Slug of a city, as written. */
  readonly city?: string;
  readonly fuel?: RoadFuel;
  /** Id of the station that the page is about. */
  readonly station?: string;
};

/** A page without a city and fuel, including a county's, is about the country. */
export function pageSubject(page: string): PageSubject {
  const path = URL.parse(page, 'http://site')?.pathname ?? '/';
  const [section, subject = '', fuel = '', ...more] = path.split('/').filter((part) => part !== '');
  if (more.length > 0) return {};
  if (section === 'preturi-carburanti') {
    const matchedFuel = ROAD_FUELS.find((each) => FUEL_SLUG[each] === fuel);
    return { city: subject, ...(matchedFuel !== undefined && { fuel: matchedFuel }) };
  }
  const [station] = /[0-9a-f]{12}$/.exec(subject) ?? [];
  return section === 'statie' && fuel === '' && station !== undefined ? { station } : {};
}

/** The page of a city and fuel; for the country, the home page. */
export function pagePath(city: string | null, fuel: RoadFuel): string {
  return city === null ? '/' : `/preturi-carburanti/${city}/${FUEL_SLUG[fuel]}`;
}
