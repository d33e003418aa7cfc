/** The pages that search engines shall list, by kind, each with the last change of a price on it. */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { type DayNumber, dayText } from '../../domain/days.ts';
import { ROAD_FUELS } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { ROUTES, type RouteName, routePath } from '../../domain/pages/routes.ts';
import type { SiteData } from '../frame/site-data.ts';
import { countySlug } from '../lookup/place-slugs.ts';
import { MIN_INDEXED_STATIONS, rankByPrice, type StationPrices, stationLookup } from '../lookup/station-prices.ts';
import { lastChange } from './last-change.ts';

export type SitemapPage = {
  readonly paths: LocalizedText;
  /** `null` = it shows no price, or the day is not known. */
  readonly changedOn: DayNumber | null;
};

/** The kinds of pages, each with files of its own in the sitemap. */
export const SITEMAP_KINDS = ['pages', 'cities', 'fuels', 'stations', 'days'] as const;
export type SitemapKind = (typeof SITEMAP_KINDS)[number];

/** Routes without a variable part that show the country's prices, and those that show none. */
const PRICE_ROUTES = ['home', 'map', 'today', 'days', 'motorways', 'statistics'] as const;
const OTHER_ROUTES = [
  ...['journey', 'nearby', 'alerts', 'germany', 'status', 'method', 'data', 'terms', 'privacy', 'docs', 'plans'],
] as const satisfies readonly RouteName[];

/** The pages of a kind, in an order that stays the same. */
export function sitemapPages(kind: SitemapKind, data: SiteData): SitemapPage[] {
  return { pages: generalPages, cities: cityPages, fuels: fuelPages, stations: stationPages, days: dayPages }[kind](
    data,
  );
}

/** The country, its counties and networks, and everything that is not about one place. */
function generalPages({ snapshot, gazetteer }: SiteData): SitemapPage[] {
  const { stations, byCounty, byNetwork } = stationLookup(snapshot);
  const country = lastChange(stations, snapshot);
  const counties = gazetteer.counties.flatMap((county) => {
    const own = byCounty.get(county.code);
    return own === undefined
      ? []
      : [
          {
            paths: inBoth((language) => routePath('county', language, { county: countySlug(county) })),
            changedOn: lastChange(own, snapshot),
          },
        ];
  });
  const networks = snapshot.networks.map(({ network: { slug } }) => ({
    paths: inBoth((language) => routePath('network', language, { network: slug })),
    changedOn: lastChange(byNetwork.get(slug) ?? [], snapshot),
  }));
  return [
    ...PRICE_ROUTES.map((route) => ({ paths: ROUTES[route], changedOn: country })),
    ...OTHER_ROUTES.map((route) => ({ paths: ROUTES[route], changedOn: null })),
    ...counties,
    ...networks,
  ];
}

function cityPages(data: SiteData): SitemapPage[] {
  return citiesOf(data).map(([city, stations]) => ({
    paths: inBoth((language) => routePath('city', language, { city })),
    changedOn: lastChange(stations, data.snapshot),
  }));
}

/** The fuels of a city that enough of its stations have a price of; for the others, the page of the city stands. */
function fuelPages(data: SiteData): SitemapPage[] {
  return citiesOf(data).flatMap(([city, stations]) =>
    ROAD_FUELS.filter((fuel) => rankByPrice(stations, fuel).length >= MIN_INDEXED_STATIONS).map((fuel) => ({
      paths: inBoth((language) => routePath('cityFuel', language, { city, fuel: FUEL_SLUG[language][fuel] })),
      changedOn: lastChange(stations, data.snapshot, fuel),
    })),
  );
}

function stationPages({ snapshot }: SiteData): SitemapPage[] {
  return stationLookup(snapshot).stations.map((each) => ({
    paths: inBoth((language) => routePath('station', language, { station: each.slug })),
    changedOn: lastChange([each], snapshot),
  }));
}

/** The days before today, whose figures stay as they are. */
function dayPages({ snapshot: { statistics, today } }: SiteData): SitemapPage[] {
  const days = new Set(ROAD_FUELS.flatMap((fuel) => statistics('national', fuel).map(({ day }) => day)));
  return [...days]
    .filter((day) => day < today)
    .sort((a, b) => a - b)
    .map((day) => ({
      paths: inBoth((language) => routePath('day', language, { day: dayText(day) })),
      changedOn: day,
    }));
}

/** The cities with a page: those of the gazetteer with a station. */
function citiesOf({ snapshot, gazetteer }: SiteData): (readonly [string, readonly StationPrices[]])[] {
  return [...stationLookup(snapshot).byCity]
    .filter(([slug]) => gazetteer.localityBySlug(slug) !== undefined)
    .sort(([a], [b]) => compareCodeUnits(a, b));
}

function inBoth(pathIn: (language: Language) => string): LocalizedText {
  return { ro: pathIn('ro'), en: pathIn('en') };
}
