/** Which function makes the page of each route. */
import { FUEL_PARAMETER } from '../../domain/pages/fuel-slug.ts';
import { GERMAN_QUERY } from '../../domain/pages/german-choices.ts';
import type { RouteName } from '../../domain/pages/routes.ts';
import { docsPage } from '../docs/docs-page.ts';
import type { PageMaker } from '../frame/site-data.ts';
import { alertsPage } from './alerts/alerts-page.ts';
import { cityFuelPage, cityPage } from './city/city-page.ts';
import { countyPage } from './county/county-page.ts';
import { dayPage, daysPage, todayPage } from './days/day-page.ts';
import { EMBEDS_QUERY } from './embeds/embeds-choice.ts';
import { embedsPage } from './embeds/embeds-page.ts';
import { germanyPage } from './germany/germany-page.ts';
import { homePage } from './home/home-page.ts';
import { journeyBetweenPage } from './journey/journey-between-page.ts';
import { QUERY_NAMES } from './journey/journey-choices.ts';
import { journeyPage } from './journey/journey-form-page.ts';
import { mapPage } from './map/map-page.ts';
import { methodPage } from './method/method-page.ts';
import { motorwaysPage } from './motorways/motorways-page.ts';
import { nearbyPage } from './nearby/nearby-page.ts';
import { networkPage } from './network/network-page.ts';
import { offlinePage } from './offline/offline-page.ts';
import { dataPage } from './open-data/open-data-page.ts';
import { plansPage } from './plans/plans-page.ts';
import { privacyPage } from './privacy/privacy-page.ts';
import { searchPage } from './search/search-page.ts';
import { stationPage } from './station/station-page.ts';
import { statisticsPage } from './statistics/statistics-page.ts';
import { statusPage } from './status/status-page.ts';
import { termsPage } from './terms/terms-page.ts';

/**
 * What the page of a route reads of the query: the rest never reaches it. A page with any of it is not cached; all
 * other routes read nothing.
 */
export const QUERY_PARAMETERS: Readonly<Partial<Record<RouteName, readonly string[]>>> = {
  county: [FUEL_PARAMETER],
  network: [FUEL_PARAMETER],
  map: ['oras', FUEL_PARAMETER, 'retea'],
  journey: Object.values(QUERY_NAMES),
  journeyBetween: Object.values(QUERY_NAMES),
  search: ['q'],
  nearby: ['lat', 'lng', FUEL_PARAMETER],
  germany: Object.values(GERMAN_QUERY),
  alerts: ['oras', FUEL_PARAMETER],
  days: ['ziua', 'an'],
  embeds: EMBEDS_QUERY,
};

/** The part of a query that the page of a route reads. */
export function queryRead(route: RouteName, query: URLSearchParams): URLSearchParams {
  const names = QUERY_PARAMETERS[route] ?? [];
  return new URLSearchParams([...query].filter(([name]) => names.includes(name)));
}

export const PAGE_MAKERS: Readonly<Record<RouteName, PageMaker>> = {
  home: homePage,
  city: cityPage,
  cityFuel: cityFuelPage,
  county: countyPage,
  network: networkPage,
  motorways: motorwaysPage,
  map: mapPage,
  today: todayPage,
  day: dayPage,
  days: daysPage,
  statistics: statisticsPage,
  station: stationPage,
  alerts: alertsPage,
  offline: offlinePage,
  journey: journeyPage,
  journeyBetween: journeyBetweenPage,
  docs: docsPage,
  plans: plansPage,
  privacy: privacyPage,
  search: searchPage,
  nearby: nearbyPage,
  status: statusPage,
  method: methodPage,
  data: dataPage,
  embeds: embedsPage,
  terms: termsPage,
  germany: germanyPage,
};
