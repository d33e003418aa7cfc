/** The sitemap: an index, and files of at most 8,000 addresses. Source: sitemaps.org, protocol 0.9. */
import { type DayNumber, dayText } from '../../domain/days.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';
import {
  countSitemapPages,
  SITEMAP_KINDS,
  type SitemapKind,
  type SitemapPage,
  type SitemapPages,
  sitemapPages,
} from './sitemap-pages.ts';

export const SITEMAP_PATH = '/sitemap.xml';
/**
 * A page has an address in each of two languages. The protocol allows 50,000 of them, but a file of 14 MB would keep
 * the process busy while it is joined and hashed.
 */
const PAGES_PER_FILE = 4_000;

const DECLARATION = html`<?xml version="1.0" encoding="UTF-8"?>\n`;
/** `/sitemap/cities-1.xml`. */
const FILE_PATH = /^\/sitemap\/([a-z]+)-([1-9]\d{0,3})\.xml$/;

/** The texts of the sitemap's index or of the file at a path, to be made in slices; `undefined` = there is none. */
export function sitemapAt(path: string, data: SiteData): Iterable<string> | undefined {
  if (path === SITEMAP_PATH) return indexTexts(data);
  const [, kindText, number] = FILE_PATH.exec(path) ?? [];
  const kind = SITEMAP_KINDS.find((each) => each === kindText);
  const from = (Number(number) - 1) * PAGES_PER_FILE;
  return kind !== undefined && from < countSitemapPages(kind, data) ? fileTexts(kind, from, data) : undefined;
}

/** The pages of a kind from a place on; `null` = a step without one. */
function* pagesFrom(kind: SitemapKind, place: number, data: SiteData): SitemapPages {
  let before = 0;
  for (const page of sitemapPages(kind, data)) {
    yield before < place ? null : page;
    if (page !== null) before += 1;
  }
}

function* indexTexts(data: SiteData): Generator<string, void, void> {
  yield html`${DECLARATION}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`.text;
  for (const kind of SITEMAP_KINDS) {
    const latest: (DayNumber | null)[] = [];
    let count = 0;
    for (const page of sitemapPages(kind, data)) {
      if (page !== null) {
        const file = Math.floor(count / PAGES_PER_FILE);
        latest[file] = later(latest[file] ?? null, page.changedOn);
        count += 1;
      }
      yield '';
    }
    for (const [file, day] of latest.entries())
      yield html`<sitemap><loc>${data.publicUrl}/sitemap/${kind}-${file + 1}.xml</loc>${lastModified(day)}</sitemap>\n`
        .text;
  }
  yield '</sitemapindex>\n';
}

function* fileTexts(kind: SitemapKind, from: number, data: SiteData): Generator<string, void, void> {
  yield html`${DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n`
    .text;
  let count = 0;
  for (const page of pagesFrom(kind, from, data)) {
    yield page === null ? '' : pageEntries(page, data);
    if (page !== null) count += 1;
    if (count === PAGES_PER_FILE) break;
  }
  yield '</urlset>\n';
}

/** The addresses of a page in both languages. */
function pageEntries({ paths, changedOn }: SitemapPage, { publicUrl }: SiteData): string {
  const alternates = [
    ...(['ro', 'en'] as const).map((language) => [language, paths[language]] as const),
    ['x-default', paths.ro] as const,
  ].map(([language, path]) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${publicUrl}${path}"/>`);
  const entries = [paths.ro, paths.en].map(
    (path) => html`<url><loc>${publicUrl}${path}</loc>${lastModified(changedOn)}${alternates}</url>\n`,
  );
  return html`${entries}`.text;
}

function later(a: DayNumber | null, b: DayNumber | null): DayNumber | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function lastModified(day: DayNumber | null): Html | null {
  return day === null ? null : html`<lastmod>${dayText(day)}</lastmod>`;
}
