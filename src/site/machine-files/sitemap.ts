/** The sitemap: an index, and files of at most 50,000 addresses. Source: sitemaps.org, protocol 0.9. */
import { type DayNumber, dayText } from '../../domain/days.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';
import { SITEMAP_KINDS, type SitemapKind, type SitemapPage, sitemapPages } from './sitemap-pages.ts';

export const SITEMAP_PATH = '/sitemap.xml';
/** The protocol's limit. A page has an address in each of two languages. */
const MAX_ADDRESSES = 50_000;
const PAGES_PER_FILE = MAX_ADDRESSES / 2;

const DECLARATION = html`<?xml version="1.0" encoding="UTF-8"?>\n`;
/** `/sitemap/cities-1.xml`. */
const FILE_PATH = /^\/sitemap\/([a-z]+)-([1-9]\d{0,3})\.xml$/;

/** The sitemap's index or the file at a path; `undefined` = there is none. */
export function sitemapAt(path: string, data: SiteData): string | undefined {
  if (path === SITEMAP_PATH) return sitemapIndex(data);
  const [, kindText, number] = FILE_PATH.exec(path) ?? [];
  const kind = SITEMAP_KINDS.find((each) => each === kindText);
  if (kind === undefined) return undefined;
  const pages = filesOf(kind, data)[Number(number) - 1];
  return pages && sitemapFile(pages, data);
}

function sitemapIndex(data: SiteData): string {
  const files = SITEMAP_KINDS.flatMap((kind) =>
    filesOf(kind, data).map((pages, index) => {
      const days = pages.flatMap(({ changedOn }) => changedOn ?? []);
      const latest = days.length === 0 ? null : days.reduce((a, b) => Math.max(a, b));
      return html`<sitemap><loc>${data.publicUrl}/sitemap/${kind}-${index + 1}.xml</loc>${lastModified(latest)}</sitemap>\n`;
    }),
  );
  return html`${DECLARATION}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${files}</sitemapindex>
`.text;
}

function filesOf(kind: SitemapKind, data: SiteData): SitemapPage[][] {
  const pages = sitemapPages(kind, data);
  const count = Math.ceil(pages.length / PAGES_PER_FILE);
  return Array.from({ length: count }, (_, at) => pages.slice(at * PAGES_PER_FILE, (at + 1) * PAGES_PER_FILE));
}

function sitemapFile(pages: readonly SitemapPage[], { publicUrl }: SiteData): string {
  const entries = pages.flatMap(({ paths, changedOn }) => {
    const alternates = [
      ...(['ro', 'en'] as const).map((language) => [language, paths[language]] as const),
      ['x-default', paths.ro] as const,
    ].map(([language, path]) => html`<xhtml:link rel="alternate" hreflang="${language}" href="${publicUrl}${path}"/>`);
    return [paths.ro, paths.en].map(
      (path) => html`<url><loc>${publicUrl}${path}</loc>${lastModified(changedOn)}${alternates}</url>\n`,
    );
  });
  return html`${DECLARATION}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries}</urlset>
`.text;
}

function lastModified(day: DayNumber | null): Html | null {
  return day === null ? null : html`<lastmod>${dayText(day)}</lastmod>`;
}
