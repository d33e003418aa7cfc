/** `/sugestii`: what the search form suggests while somebody types, as JSON. */
import type { Language } from '../../../domain/localized-text.ts';
import type { SiteResponse } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatRon } from '../../html/formats.ts';
import { readSearchText, type SearchText } from '../../lookup/search-text.ts';
import { fuelNameInText } from '../../parts/fuel-words.ts';
import { type SearchGroup, type SearchItem, searchGroups } from '../../parts/search-items.ts';

const MOST_SUGGESTIONS = 8;
/** How many of each kind come first; the remaining places go to whatever else was found, in the same order. */
const FIRST: Readonly<Record<SearchGroup['kind'], number>> = {
  cities: 4,
  counties: 1,
  networks: 1,
  villages: 1,
  stations: MOST_SUGGESTIONS,
  likely: MOST_SUGGESTIONS,
};

/** The answer to a query with `q` and the language `limba`: the same results as on the page, at most eight. */
export function suggestions(query: URLSearchParams, data: SiteData): SiteResponse {
  const language = query.get('limba') === 'en' ? 'en' : 'ro';
  const text = readSearchText(query.get('q') ?? '');
  const found = text === null ? [] : suggested(text, data, language);
  return {
    status: 200,
    contentType: 'application/json; charset=utf-8',
    headers: { 'Cache-Control': 'public, max-age=60', 'X-Robots-Tag': 'noindex' },
    body: Buffer.from(JSON.stringify(found)),
  };
}

function suggested(text: SearchText, data: SiteData, language: Language) {
  const groups = searchGroups(text, data, language);
  const first = groups.flatMap(({ kind, items }) => items.slice(0, FIRST[kind]));
  const others = groups.flatMap(({ kind, items }) => items.slice(FIRST[kind]));
  const fuel = fuelNameInText(text.fuel, language);
  return [...first, ...others].slice(0, MOST_SUGGESTIONS).map((item) => suggestion(item, fuel, language));
}

function suggestion({ name, note, path, price, priceNote }: SearchItem, fuel: string, language: Language) {
  const priced = price === null ? '' : ` · ${fuel} ${formatRon(price, language)} lei (${priceNote})`;
  return { name, note: `${note}${priced}`, path };
}
