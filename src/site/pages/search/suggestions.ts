/** `/sugestii`: what the search form suggests while somebody types, as JSON. */
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { foldName } from '../../../domain/places/place-names.ts';
import type { Visitor } from '../../frame/journey-planner.ts';
import type { SiteResponse } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';
import { readSearchText } from '../../lookup/search-text.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { fuelNameInText } from '../../parts/fuel-words.ts';
import {
  countyName,
  type SearchGroup,
  type SearchItem,
  type SearchRequest,
  searchGroups,
} from '../../parts/search-items.ts';

const MOST_SUGGESTIONS = 8;
/** Places among which those that begin with the text are looked for. */
const PLACES_READ = 40;
/** How many of each kind come first; the remaining places go to whatever else was found, in the same order. */
const FIRST: Readonly<Record<SearchGroup['kind'], number>> = {
  cities: 4,
  counties: 1,
  pages: 2,
  networks: 1,
  villages: 1,
  stations: MOST_SUGGESTIONS,
  likely: MOST_SUGGESTIONS,
};

/**
 * The answer to a query with `q` and the language `limba`: the same results as on the page, at most eight. With
 * `fel=locuri` only places, with or without a station, named so that no other place has the name.
 */
export function suggestions(query: URLSearchParams, visitor: Visitor, data: SiteData): SiteResponse {
  const language = query.get('limba') === 'en' ? 'en' : 'ro';
  const text = readSearchText(query.get('q') ?? '');
  const find = query.get('fel') === 'locuri' ? suggestedPlaces : suggested;
  const found = text === null ? [] : find({ text, language, visitor }, data);
  return {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    headers: { 'Cache-Control': 'private, max-age=60', 'X-Robots-Tag': 'noindex' },
    body: Buffer.from(JSON.stringify(found)),
  };
}

function suggested(request: SearchRequest, data: SiteData) {
  const { text, language } = request;
  const groups = searchGroups(request, data);
  const first = groups.flatMap(({ kind, items }) => items.slice(0, FIRST[kind]));
  const others = groups.flatMap(({ kind, items }) => items.slice(FIRST[kind]));
  const fuel = fuelNameInText(text.fuel, language);
  return [...first, ...others].slice(0, MOST_SUGGESTIONS).map((item) => suggestion(item, fuel, language));
}

function suggestedPlaces({ text: { typed }, language }: SearchRequest, { gazetteer, snapshot }: SiteData) {
  const { byCity } = stationLookup(snapshot);
  const found = gazetteer.search(typed, PLACES_READ);
  // What has the text within a word is meant only where no word begins with it.
  const begun = found.filter((label) => ` ${foldName(label)}`.includes(` ${foldName(typed)}`));
  return (begun.length > 0 ? begun : found).slice(0, MOST_SUGGESTIONS).flatMap((label) => {
    const place = gazetteer.findPlace(label);
    if (place === undefined) return [];
    const stations = byCity.get(place.slug)?.length ?? 0;
    const county = gazetteer.countyByCode(place.county)?.name;
    const note = [
      ...(county === undefined || county === place.name || label.includes(',') ? [] : [countyName(county, language)]),
      ...(stations === 0 ? [] : [counted(stations, STATIONS, language)]),
    ].join(' · ');
    return [{ name: label, note, path: routePath('city', language, { city: place.slug }) }];
  });
}

function suggestion({ name, note, path, price, priceNote }: SearchItem, fuel: string, language: Language) {
  const priced = price === null ? '' : ` · ${fuel} ${formatRon(price, language)} lei (${priceNote})`;
  return { name, note: `${note}${priced}`, path };
}
