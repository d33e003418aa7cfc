/** The page of an address without one: says so, and where to go on. */
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { languageOf, ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { Visitor } from '../../frame/journey-planner.ts';
import type { Page } from '../../frame/page.ts';
import { searchForm } from '../../frame/search-form.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { type Html, html } from '../../html/html-template.ts';
import { cityName } from '../../lookup/place-slugs.ts';
import { readSearchText } from '../../lookup/search-text.ts';
import { type SearchRequest, searchGroups } from '../../parts/search-items.ts';

const TITLE: LocalizedText = { ro: 'Pagina nu există', en: 'This page does not exist' };
const LEAD: LocalizedText = {
  ro: 'Adresa cerută nu duce nicăieri. Poate că o benzinărie și-a schimbat numele sau linkul este incomplet.',
  en: 'Nothing is at this address. A station may have changed its name, or the link is incomplete.',
};
const MEANT: LocalizedText = { ro: 'Poate ați căutat', en: 'You may be looking for' };
const CITIES: LocalizedText = { ro: 'Prețuri în orașele mari', en: 'Prices in large cities' };
const HOME: LocalizedText = { ro: 'Prețurile din toată țara', en: 'Prices of the whole country' };
const DOCS: LocalizedText = { ro: 'Documentația API', en: 'API documentation' };
const CITIES_SHOWN = 10;
const MEANT_SHOWN = 5;

/** The page; in English below `/en`. */
export function notFoundPage(path: string, visitor: Visitor, data: SiteData): Page {
  const { snapshot, gazetteer } = data;
  const language = languageOf(path);
  const cities = snapshot.cities.slice(0, CITIES_SHOWN).map(({ slug, name }) => {
    const shown = cityName(slug, name, gazetteer);
    return html`<li><a href="${routePath('city', language, { city: slug })}">${shown}</a></li>\n`;
  });
  return {
    language,
    route: 'home',
    paths: ROUTES.home,
    title: TITLE[language],
    description: LEAD[language],
    status: 404,
    modules: ['search'],
    hasSearchForm: true,
    content: html`<h1>${TITLE[language]}</h1>
<p class="lead">${LEAD[language]}</p>
${searchForm({ language })}
${meant(path, { language, visitor }, data)}<ul>
<li><a href="${routePath('home', language)}">${HOME[language]}</a></li>
<li><a href="${routePath('docs', language)}">${DOCS[language]}</a></li>
</ul>
${cities.length === 0 ? null : html`<h2>${CITIES[language]}</h2>\n<ul class="columns">\n${cities}</ul>`}`,
  };
}

/** What a search for the last part of the address finds. */
function meant(path: string, request: Omit<SearchRequest, 'text'>, data: SiteData): Html | null {
  const words = path.slice(path.lastIndexOf('/') + 1).replaceAll('-', ' ');
  const text = readSearchText(words);
  const items = text === null ? [] : searchGroups({ ...request, text }, data).flatMap((group) => group.items);
  if (items.length === 0) return null;
  return html`<h2>${MEANT[request.language]}</h2>
<ul>
${items.slice(0, MEANT_SHOWN).map(({ name, note, path: target }) => html`<li><a href="${target}">${name}</a> <span class="soft">${note}</span></li>\n`)}</ul>
`;
}
