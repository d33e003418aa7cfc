/** The pages that search engines shall list, by kind, each with the last change of a price on it. */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import { type DayNumber, dayText } from '../../domain/days.ts';
import { ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { ROUTES, type RouteName, routePath } from '../../domain/pages/routes.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { SiteData } from '../frame/site-data.ts';
import { countySlug } from '../lookup/place-slugs.ts';
import { MIN_INDEXED_STATIONS, type StationPrices, stationLookup } from '../lookup/station-prices.ts';
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
  ...[
    'journey',
    'nearby',
    'alerts',
    'germany',
    'status',
    'method',
    'data',
    'embeds',
    'terms',
    'privacy',
    'docs',
    'plans',
  ],
] as const satisfies readonly RouteName[];

/** Pages one by one, so that long lists are made in slices; `null` = a step of work without a page. */
export type SitemapPages = Generator<SitemapPage | null, void, void>;

/** The pages of a kind, in an order that stays the same. */
export function sitemapPages(kind: SitemapKind, data: SiteData): SitemapPages {
  return { pages: generalPages, cities: cityPages, fuels: fuelPages, stations: stationPages, days: dayPages }[kind](
    data,
  );
}

/** How many pages a kind has: it takes less time than making them. */
export function countSitemapPages(kind: SitemapKind, data: SiteData): number {
  const { snapshot, gazetteer } = data;
  const { stations, byCounty } = stationLookup(snapshot);
  switch (kind) {
    case 'pages': {
      const counties = gazetteer.counties.filter(({ code }) => byCounty.has(code));
      return PRICE_ROUTES.length + OTHER_ROUTES.length + counties.length + snapshot.networks.length;
    }
    case 'cities':
      return citiesOf(data).length;
    case 'fuels':
      return citiesOf(data).reduce((sum, [, own]) => sum + listedFuels(own).length, 0);
    case 'stations':
      return stations.length;
    case 'days':
      return pastDays(snapshot).length;
  }
}

/** The country, its counties and networks, and everything that is not about one place. */
function* generalPages({ snapshot, gazetteer }: SiteData): SitemapPages {
  const { byCounty, byNetwork } = stationLookup(snapshot);
  const changes = new Map<string, DayNumber | null>();
  for (const [county, own] of byCounty) {
    changes.set(county, lastChange(own, snapshot));
    yield null;
  }
  const days = [...changes.values()].filter((day) => day !== null);
  const country = days.length === 0 ? null : Math.max(...days);
  for (const route of PRICE_ROUTES) yield { paths: ROUTES[route], changedOn: country };
  for (const route of OTHER_ROUTES) yield { paths: ROUTES[route], changedOn: null };
  for (const county of gazetteer.counties) {
    const changedOn = changes.get(county.code);
    const paths = inBoth((language) => routePath('county', language, { county: countySlug(county) }));
    if (changedOn !== undefined) yield { paths, changedOn };
  }
  for (const { network } of snapshot.networks)
    yield {
      paths: inBoth((language) => routePath('network', language, { network: network.slug })),
      changedOn: lastChange(byNetwork.get(network.slug) ?? [], snapshot),
    };
}

function* cityPages(data: SiteData): SitemapPages {
  for (const [city, stations] of citiesOf(data))
    yield {
      paths: inBoth((language) => routePath('city', language, { city })),
      changedOn: lastChange(stations, data.snapshot),
    };
}

function* fuelPages(data: SiteData): SitemapPages {
  for (const [city, stations] of citiesOf(data)) {
    for (const fuel of listedFuels(stations))
      yield {
        paths: inBoth((language) => routePath('cityFuel', language, { city, fuel: FUEL_SLUG[language][fuel] })),
        changedOn: lastChange(stations, data.snapshot, fuel),
      };
    yield null;
  }
}

/** The fuels of a city that enough of its stations have a price of; for the others, the page of the city stands. */
function listedFuels(stations: readonly StationPrices[]): readonly RoadFuel[] {
  if (stations.length < MIN_INDEXED_STATIONS) return [];
  return ROAD_FUELS.filter((fuel) => {
    const priced = stations.filter(({ verdicts }) => verdicts.get(fuel)?.kind === 'trusted');
    return priced.length >= MIN_INDEXED_STATIONS;
  });
}

function* stationPages({ snapshot }: SiteData): SitemapPages {
  for (const each of stationLookup(snapshot).stations)
    yield {
      paths: inBoth((language) => routePath('station', language, { station: each.slug })),
      changedOn: lastChange([each], snapshot),
    };
}

function* dayPages({ snapshot }: SiteData): SitemapPages {
  for (const day of pastDays(snapshot))
    yield { paths: inBoth((language) => routePath('day', language, { day: dayText(day) })), changedOn: day };
}

/** The days before today, whose figures stay as they are. */
function pastDays({ statistics, today }: Snapshot): readonly DayNumber[] {
  const days = new Set(ROAD_FUELS.flatMap((fuel) => statistics('national', fuel).map(({ day }) => day)));
  return [...days].filter((day) => day < today).sort((a, b) => a - b);
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
