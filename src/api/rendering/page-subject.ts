/** The subject of a page of the site, derived from its address alone, and the address of a page. Rule 41. */
import type { RoadFuel } from '../../domain/fuel.ts';
import { FUEL_SLUG, fuelOfSlug } from '../../domain/pages/fuel-slug.ts';
import { matchRoute, routePath } from '../../domain/pages/routes.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';

export type PageSubject = {
  /** Slug of a city, as written. */
  readonly city?: string;
  readonly fuel?: RoadFuel;
  /** Id of the station that the page is about. */
  readonly station?: string;
};

/** A page without a city, including a county's, is about the country. */
export function pageSubject(page: string): PageSubject {
  const path = URL.parse(page, 'http://site')?.pathname ?? '/';
  const route = matchRoute(`/${path.split('/').filter(Boolean).join('/')}`);
  const { city = '', fuel = '', station = '' } = route?.parameters ?? {};
  switch (route?.name) {
    case 'city':
    case 'cityFuel': {
      const named = fuelOfSlug(fuel, route.language);
      return { city, ...(named !== undefined && { fuel: named }) };
    }
    case 'station': {
      const id = stationIdOf(station);
      return id === null ? {} : { station: id };
    }
    default:
      return {};
  }
}

/** The page of a city and fuel; for the country, the home page. */
export function pagePath(city: string | null, fuel: RoadFuel): string {
  return city === null ? routePath('home', 'ro') : routePath('cityFuel', 'ro', { city, fuel: FUEL_SLUG.ro[fuel] });
}
