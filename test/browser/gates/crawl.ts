/**
 * Follows the links of the site from its home pages, over plain HTTP, and takes in what search engines read of a page.
 */
import { selectAll, selectOne } from 'css-select';
import { parseDocument } from 'htmlparser2';
import { matchRoute } from '../../../src/domain/pages/routes.ts';
import { isWidgetPath } from '../../../src/site/embeds/embed-address.ts';
import type { HtmlDocument, HtmlElement, HtmlNode } from '../../../src/sources/feed/parse-html.ts';
import { newClientAddress } from '../support/demo-site.ts';

/** A page as search engines read it; addresses are paths with their query. */
export type CrawledPage = {
  readonly path: string;
  /** Its route and language. */
  readonly kind: string;
  readonly title: string;
  readonly description: string;
  readonly canonical: string;
  readonly isIndexed: boolean;
  /** By language, `x-default` included. */
  readonly alternates: Readonly<Record<string, string>>;
  readonly pictures: readonly string[];
  /** The blocks of JSON-LD, parsed. */
  readonly data: readonly Record<string, unknown>[];
  readonly ids: ReadonlySet<string>;
  /** All addresses of this site that it names, with the fragments. */
  readonly links: readonly { readonly path: string; readonly fragment: string }[];
};

export type Crawl = {
  readonly pages: ReadonlyMap<string, CrawledPage>;
  /** Addresses that answered with something else than 200, and who links there. */
  readonly broken: readonly string[];
};

/** Addresses of a kind that are read, in each language: the site has thousands of stations. */
const MOST_OF_A_KIND = 30;
const CONCURRENCY = 4;
/** Pages that one visitor may read in a minute are limited. */
const READ_BY_ONE = 20;

/** Reads the site from its two home pages on. */
export async function crawl(site: string): Promise<Crawl> {
  const pages = new Map<string, CrawledPage>();
  const broken: string[] = [];
  const linkedFrom = new Map([
    ['/', '/'],
    ['/en', '/en'],
  ]);
  const counts = new Map<string, number>();
  const waiting = [...linkedFrom.keys()];
  let reads = 0;
  let visitor = newClientAddress();

  const read = async (path: string): Promise<void> => {
    reads += 1;
    if (reads % READ_BY_ONE === 0) visitor = newClientAddress();
    const response = await fetch(site + path, { headers: { 'X-Forwarded-For': visitor }, redirect: 'manual' });
    const body = await response.text();
    if (response.status !== 200) broken.push(`${path} answers ${response.status}; ${linkedFrom.get(path)} links to it`);
    if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/html')) return;
    // The content of a frame is part of the page around it.
    if (isWidgetPath(path)) return;
    const page = readPage(path, body, site);
    pages.set(path, page);
    for (const { path: target } of page.links) {
      if (linkedFrom.has(target)) continue;
      linkedFrom.set(target, path);
      const kind = kindOf(target);
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count <= MOST_OF_A_KIND) waiting.push(target);
    }
  };
  while (waiting.length > 0) await Promise.all(waiting.splice(0, CONCURRENCY).map(read));
  return { pages, broken };
}

/** The route and the language of a path; what is no page counts by its folder. */
function kindOf(path: string): string {
  const [pathname = '', query] = path.split('?');
  const route = matchRoute(pathname);
  if (route === undefined) return pathname.split('/').slice(0, 3).join('/');
  return `${route.name} ${route.language}${query === undefined ? '' : ' with a query'}`;
}

function readPage(path: string, body: string, site: string): CrawledPage {
  const page = parseDocument(body);
  const attribute = (selector: string, name: string) => element(selector, page)?.attribs[name] ?? '';
  const alternates = elements('link[rel="alternate"][hreflang]', page).map(({ attribs }) => [
    attribs.hreflang,
    pathIn(attribs.href ?? '', path, site),
  ]);
  return {
    path,
    kind: kindOf(path),
    title: textOf(element('title', page)),
    description: attribute('meta[name="description"]', 'content'),
    canonical: pathIn(attribute('link[rel="canonical"]', 'href'), path, site) ?? '',
    isIndexed: attribute('meta[name="robots"]', 'content') !== 'noindex',
    alternates: Object.fromEntries(alternates),
    pictures: elements('meta[property="og:image"]', page).flatMap(
      ({ attribs }) => pathIn(attribs.content ?? '', path, site) ?? [],
    ),
    data: elements('script[type="application/ld+json"]', page).map((block) => JSON.parse(textOf(block))),
    ids: new Set(elements('[id]', page).map(({ attribs }) => attribs.id as string)),
    links: elements('a[href], link[href], [src]', page).flatMap(({ attribs }) => {
      const url = urlIn(attribs.href ?? attribs.src ?? '', path, site);
      return url === null ? [] : [{ path: url.pathname + url.search, fragment: decodeURIComponent(url.hash.slice(1)) }];
    }),
  };
}

function elements(selector: string, page: HtmlDocument): HtmlElement[] {
  return selectAll<HtmlNode, HtmlElement>(selector, page);
}

function element(selector: string, page: HtmlDocument): HtmlElement | null {
  return selectOne<HtmlNode, HtmlElement>(selector, page);
}

function textOf(parent: HtmlElement | null): string {
  return (parent?.children ?? []).map((child) => (child.type === 'text' ? child.data : '')).join('');
}

/** `null` = not an address of the site. */
function urlIn(href: string, path: string, site: string): URL | null {
  const url = new URL(href, site + path);
  return url.origin === site ? url : null;
}

function pathIn(href: string, path: string, site: string): string | null {
  const url = urlIn(href, path, site);
  return url && url.pathname + url.search;
}
