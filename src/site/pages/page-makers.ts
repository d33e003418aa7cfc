/** Which function makes the page of each route. */
import type { RouteName } from '../../domain/pages/routes.ts';
import { docsPage } from '../docs/page.ts';
import type { PageMaker } from '../frame/site-data.ts';
import { alertsPage } from './alerts/alerts-page.ts';
import { cityFuelPage, cityPage } from './city/city-page.ts';
import { countyPage } from './county/county-page.ts';
import { dayPage, daysPage, todayPage } from './days/day-page.ts';
import { germanyPage } from './germany/germany-page.ts';
import { homePage } from './home/home-page.ts';
import { journeyBetweenPage } from './journey/journey-between-page.ts';
import { journeyPage } from './journey/journey-form-page.ts';
import { mapPage } from './map/map-page.ts';
import { methodPage } from './method/method-page.ts';
import { motorwaysPage } from './motorways/motorways-page.ts';
import { nearbyPage } from './nearby/nearby-page.ts';
import { networkPage } from './network/network-page.ts';
import { offlinePage } from './offline/offline-page.ts';
import { dataPage } from './open-data/data-page.ts';
import { plansPage } from './plans/plans-page.ts';
import { privacyPage } from './privacy/privacy-page.ts';
import { searchPage } from './search/search-page.ts';
import { stationPage } from './station/station-page.ts';
import { statisticsPage } from './statistics/statistics-page.ts';
import { statusPage } from './status/status-page.ts';
import { termsPage } from './terms/terms-page.ts';

/** Routes whose page differs by the query; a page with one is not cached. */
export const QUERY_ROUTES: ReadonlySet<RouteName> = new Set([
  'county',
  'network',
  'map',
  'journey',
  'journeyBetween',
  'search',
  'nearby',
  'alerts',
  'days',
]);

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
  terms: termsPage,
  germany: germanyPage,
};
