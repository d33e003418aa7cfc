/** The page of search results: places, counties, networks and stations, each with one price. */
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { Page } from '../../frame/page.ts';
import { searchForm } from '../../frame/search-form.ts';
import type { PageRequest, SiteData } from '../../frame/site-data.ts';
import { counted, RESULTS } from '../../html/counted.ts';
import { formatCount } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { readSearchText, type SearchText } from '../../lookup/search-text.ts';
import { countryLink } from '../../parts/breadcrumb.ts';
import { fuelNameInText } from '../../parts/fuel-words.ts';
import { nearMeButton } from '../../parts/near-me-button.ts';
import { priceAlone } from '../../parts/price-parts.ts';
import { type SearchGroup, type SearchItem, type SearchRequest, searchGroups } from '../../parts/search-items.ts';
import { TEXTS } from './search-texts.ts';

/** The page of what `q` finds; without `q`, the form. */
export function searchPage({ language, query, visitor, data }: PageRequest): Page {
  const text = readSearchText(query.get('q') ?? '');
  const path = routePath('search', language);
  return {
    language,
    route: 'search',
    paths: { ro: pathWith(text, 'ro'), en: pathWith(text, 'en') },
    canonical: path,
    title: text === null ? TEXTS.title[language] : TEXTS.titleOf[language](text.typed),
    description: TEXTS.description[language],
    isIndexed: false,
    showsPrices: text !== null,
    modules: ['search', 'near-me'],
    hasSearchForm: true,
    breadcrumb: [countryLink(language)],
    content: html`<h1>${text === null ? TEXTS.heading[language] : TEXTS.resultsOf[language](text.typed)}</h1>
${searchForm({ language, text: text?.typed ?? '' })}
${nearMeButton(language, text?.namesFuel === true ? text.fuel : null)}
${text === null ? html`<p class="lead">${TEXTS.lead[language]}</p>` : results({ text, language, visitor }, data)}`,
  };
}

function pathWith(text: SearchText | null, language: Language): string {
  const path = routePath('search', language);
  return text === null ? path : `${path}?${new URLSearchParams({ q: text.typed })}`;
}

function results(request: SearchRequest, data: SiteData): Html {
  const { text, language } = request;
  const groups = searchGroups(request, data);
  const count = groups.reduce((sum, group) => sum + (group.kind === 'likely' ? 0 : group.count), 0);
  const found = count === 0 ? TEXTS.nothing[language] : `${counted(count, RESULTS, language)}.`;
  const hasPrices = groups.some(({ kind }) => kind !== 'pages');
  const priceOf = hasPrices ? TEXTS.priceOf[language](fuelNameInText(text.fuel, language)) : null;
  return html`<p class="lead">${found} ${groups.length === 0 ? TEXTS.advice[language] : priceOf}</p>
${groups.map((group) => groupSection(group, language))}`;
}

function groupSection({ kind, items, count }: SearchGroup, language: Language): Html {
  const shown = count > items.length ? TEXTS.shown[language](items.length, formatCount(count, language)) : null;
  return html`<h2>${TEXTS.groups[kind][language]}</h2>
${shown === null ? null : html`<p class="soft">${shown}</p>\n`}<ul class="ranking">
${items.map((item) => (kind === 'pages' ? pageRow(item) : itemRow(item, language)))}</ul>
`;
}

function itemRow({ name, note, path, price, priceNote }: SearchItem, language: Language): Html {
  const about = price === null ? null : html`<span>${priceNote}</span>`;
  return html`<li><span class="who"><a href="${path}">${name}</a><span>${note}</span></span><span class="price"><strong>${priceAlone(price, language)}</strong>${about}</span></li>\n`;
}

function pageRow({ name, note, path }: SearchItem): Html {
  return html`<li><span class="who"><a href="${path}">${name}</a><span>${note}</span></span></li>\n`;
}
