/** What a search found, as links with one price each: for the page of results and for the suggestions while typing. */

import { bucharestDay, dayNumber } from '../../domain/days.ts';
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { germanPath, USUAL_GERMAN } from '../../domain/pages/german-choices.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { Locality } from '../../domain/places/locality.ts';
import { trustedPrice } from '../../domain/prices/price-verdict.ts';
import type { Visitor } from '../frame/journey-planner.ts';
import type { SiteData } from '../frame/site-data.ts';
import { counted, STATIONS } from '../html/counted.ts';
import { pagesNamed } from '../lookup/page-words.ts';
import { countySlug } from '../lookup/place-slugs.ts';
import type { SearchText } from '../lookup/search-text.ts';
import { type SearchResults, searchSite } from '../lookup/site-search.ts';
import { type StationPrices, stationLookup } from '../lookup/station-prices.ts';
import { nearbyPath } from './near-me-button.ts';
import { priceAge, reasonNotRanked } from './price-notes.ts';
import { addressWithCity } from './station-address.ts';

export type SearchItem = {
  readonly name: string;
  readonly note: string;
  readonly path: string;
  readonly price: MilliPrice | null;
  /** What the price is: the lowest, a mean, or when it was observed. */
  readonly priceNote: string;
};

export type SearchGroup = {
  readonly kind: 'cities' | 'counties' | 'pages' | 'networks' | 'villages' | 'stations' | 'likely';
  readonly items: readonly SearchItem[];
  /** How many were found, shown or not. */
  readonly count: number;
};

const MOST_ITEMS = 10;
const LOWEST: LocalizedText = { ro: 'cel mai mic', en: 'lowest' };
const MEAN: LocalizedText = { ro: 'medie', en: 'average' };
const NO_STATION: LocalizedText = {
  ro: 'fără benzinării cunoscute; vedeți cele din jur',
  en: 'no known station; see those around it',
};
const GERMANY: LocalizedText = { ro: 'Germania', en: 'Germany' };
const GERMAN_STATIONS: LocalizedText = { ro: 'benzinăriile din jur, în euro', en: 'the stations around it, in euros' };
const COUNTY: LocalizedText = { ro: 'județul', en: 'County' };
const NETWORK: LocalizedText = { ro: 'rețea', en: 'network' };

/** A search, and whose budget pays for guessing what is meant. */
export type SearchRequest = { readonly text: SearchText; readonly language: Language; readonly visitor: Visitor };

type ItemInput = { readonly text: SearchText; readonly data: SiteData; readonly language: Language };

/**
 * The groups with a result, in the order in which they are shown. Where nothing is found: a German town of that name,
 * else likely spellings.
 */
export function searchGroups({ text, language, visitor }: SearchRequest, data: SiteData): SearchGroup[] {
  const input = { text, data, language };
  const found = searchSite(text, data.snapshot, data.gazetteer);
  const groups = groupsOf(found, input);
  if (groups.length > 0) return groups;
  const german = germanGroup(input);
  return german.count > 0 ? [german] : nonEmpty([likelyGroup(input, visitor)]);
}

function groupsOf({ cities, counties, networks, villages, stations }: SearchResults, input: ItemInput): SearchGroup[] {
  const { snapshot } = input.data;
  return nonEmpty([
    group('cities', cities, ({ place }) => placeItem(place, input)),
    group('counties', counties, ({ code, name }) => ({
      name: input.language === 'ro' ? `Județul ${name}` : `${name} County`,
      note: stationCount(stationLookup(snapshot).byCounty.get(code), input.language),
      path: routePath('county', input.language, { county: countySlug({ name }) }),
      price: snapshot.counties.get(code)?.prices[input.text.fuel] ?? null,
      priceNote: MEAN[input.language],
    })),
    group('pages', pagesNamed(input.text), ({ route, name, note }) =>
      pageItem(name[input.language], note[input.language], routePath(route, input.language)),
    ),
    group('networks', networks, ({ network: { slug, name }, prices }) => ({
      name,
      note: `${NETWORK[input.language]} · ${stationCount(stationLookup(snapshot).byNetwork.get(slug), input.language)}`,
      path: routePath('network', input.language, { network: slug }),
      price: prices[input.text.fuel],
      priceNote: MEAN[input.language],
    })),
    group('villages', villages, (place) => placeItem(place, input)),
    group('stations', stations, (station) => stationItem(station, input)),
  ]);
}

/** The stations around a German town of exactly that name or postcode. */
function germanGroup({ text, data, language }: ItemInput): SearchGroup {
  const place = data.germany?.places.findPlace(text.place);
  return group('pages', place === undefined ? [] : [place.label], (label) =>
    pageItem(
      `${label}, ${GERMANY[language]}`,
      GERMAN_STATIONS[language],
      germanPath({ ...USUAL_GERMAN, place: label }, language),
    ),
  );
}

function pageItem(name: string, note: string, path: string): SearchItem {
  return { name, note, path, price: null, priceNote: '' };
}

/** The places whose names are spelled most like the text, as far as the visitor's budget goes. */
function likelyGroup(input: ItemInput, visitor: Visitor): SearchGroup {
  const { text, data } = input;
  const { findPlace, suggestPlaces } = data.journeys;
  const meant = findPlace(text.place);
  const places = meant ? [meant] : suggestPlaces(text.place, visitor).flatMap((label) => findPlace(label) ?? []);
  return group('likely', places, (place) => placeItem(place, input));
}

function group<T>(kind: SearchGroup['kind'], found: readonly T[], itemOf: (one: T) => SearchItem): SearchGroup {
  return { kind, items: found.slice(0, MOST_ITEMS).map(itemOf), count: found.length };
}

function nonEmpty(groups: readonly SearchGroup[]): SearchGroup[] {
  return groups.filter(({ count }) => count > 0);
}

/**
 * A place leads to its page, or to that of its fuel if one was named; one without a station, to the stations around.
 */
function placeItem(place: Locality, { text: { fuel, namesFuel }, data, language }: ItemInput): SearchItem {
  const { snapshot, gazetteer } = data;
  const stations = stationLookup(snapshot).byCity.get(place.slug);
  const county = gazetteer.countyByCode(place.county)?.name;
  const where = county === undefined || county === place.name ? [] : [countyName(county, language)];
  const segment = { city: place.slug };
  const ownPath = namesFuel
    ? routePath('cityFuel', language, { ...segment, fuel: FUEL_SLUG[language][fuel] })
    : routePath('city', language, segment);
  return {
    name: place.name,
    note: [...where, stations === undefined ? NO_STATION[language] : stationCount(stations, language)].join(' · '),
    path: stations === undefined ? nearbyPath(place, language, namesFuel ? fuel : undefined) : ownPath,
    price: cityPrice(place.slug, fuel, data),
    priceNote: LOWEST[language],
  };
}

function cityPrice(slug: string, fuel: RoadFuel, { snapshot }: SiteData): MilliPrice | null {
  return snapshot.cities.find((city) => city.slug === slug)?.prices[fuel] ?? null;
}

function stationItem(each: StationPrices, { text: { fuel }, data, language }: ItemInput): SearchItem {
  const { station, slug, verdicts } = each;
  const verdict = verdicts.get(fuel);
  const address = addressWithCity(station, data.gazetteer);
  const reason = verdict === undefined ? null : reasonNotRanked(verdict, language);
  const today = dayNumber(bucharestDay(data.snapshot.now));
  return {
    name: station.network.name,
    note: [address, reason].filter((part) => part !== null).join(' · '),
    path: routePath('station', language, { station: slug }),
    price: trustedPrice(verdict),
    priceNote: verdict?.kind === 'trusted' ? priceAge(verdict.fact, today, language) : '',
  };
}

export function countyName(county: string, language: Language): string {
  return language === 'ro' ? `${COUNTY.ro} ${county}` : `${county} ${COUNTY.en}`;
}

function stationCount(stations: readonly StationPrices[] | undefined, language: Language): string {
  return counted(stations?.length ?? 0, STATIONS, language);
}
