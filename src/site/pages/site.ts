/** The pages of the service, rendered once per publication and kept as bytes. */
import { PAGES } from '../../domain/access/plans.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { ApiDescription } from '../docs/api-description.ts';
import { type DocsInput, docsPage } from '../docs/page.ts';
import { FAVICON } from '../html/favicon.ts';
import type { Html } from '../html/html.ts';
import { networkLogo } from '../html/logo.ts';
import { STYLE_SOURCE } from '../html/style.ts';
import { homePage } from './home.ts';
import { plansPage } from './plans-page.ts';

export type RenderedPage = {
  readonly status: number;
  readonly contentType: string;
  /** The same buffer for as long as the page does not change. */
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** The page at a path; `undefined` = there is none. */
export type Site = (
  path: string,
  query: URLSearchParams,
  acceptLanguage: string | undefined,
) => RenderedPage | undefined;

export type SiteOptions = {
  /** The address that links and examples use, without a trailing slash. */
  readonly publicUrl: () => string;
  /** Whether the data are simulated, which every page then states. */
  readonly simulated: boolean;
  readonly snapshot: () => Snapshot;
  /** What the documentation shows; not called before a page is requested. */
  readonly api: () => ApiDescription;
};

type PageSource = Omit<RenderedPage, 'status' | 'body'> & { readonly text: string };
type CachedPage = { readonly page: RenderedPage; readonly snapshot: Snapshot; readonly publicUrl: string };

/** The site of the current publication. */
export function createSite({ publicUrl, simulated, snapshot, api }: SiteOptions): Site {
  const cache = new Map<string, CachedPage>();
  return (path) => {
    const input = { publicUrl: publicUrl(), simulated, snapshot: snapshot(), api: api() };
    const known = cache.get(path);
    if (known && known.snapshot === input.snapshot && known.publicUrl === input.publicUrl) return known.page;
    const source = pageSource(path, input);
    if (source === undefined) {
      cache.delete(path);
      return undefined;
    }
    const page = renderedPage(source, known?.page.body);
    cache.set(path, { page, snapshot: input.snapshot, publicUrl: input.publicUrl });
    return page;
  };
}

function renderedPage({ text, ...made }: PageSource, earlier: Buffer | undefined): RenderedPage {
  const body = Buffer.from(text);
  return { ...made, status: 200, body: earlier?.equals(body) ? earlier : body };
}

const FIXED_PAGES: Readonly<Record<string, (input: DocsInput) => PageSource>> = {
  [PAGES.home.ro]: (input) => htmlPage(homePage(input)),
  [PAGES.docs.ro]: (input) => htmlPage(docsPage('ro', input)),
  [PAGES.docs.en]: (input) => htmlPage(docsPage('en', input)),
  [PAGES.plans.ro]: (input) => htmlPage(plansPage('ro', input)),
  [PAGES.plans.en]: (input) => htmlPage(plansPage('en', input)),
  '/favicon.svg': () => svgImage(FAVICON),
  '/robots.txt': ({ simulated }) => ({
    contentType: 'text/plain; charset=utf-8',
    headers: { 'Cache-Control': 'public, max-age=3600' },
    // Simulated prices must not appear in search engines.
    text: simulated ? 'User-agent: *\nDisallow: /\n' : 'User-agent: *\nAllow: /\n',
  }),
};

function pageSource(path: string, input: DocsInput): PageSource | undefined {
  if (Object.hasOwn(FIXED_PAGES, path)) return FIXED_PAGES[path]?.(input);
  const slug = /^\/logo\/([a-z0-9-]+)\.svg$/.exec(path)?.[1];
  const logo = slug === undefined ? undefined : networkLogo(slug, input.snapshot);
  return logo && svgImage(logo);
}

const PAGE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': `default-src 'none'; style-src ${STYLE_SOURCE}; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

function htmlPage(page: Html): PageSource {
  return { contentType: 'text/html; charset=utf-8', headers: PAGE_HEADERS, text: page.text };
}

const PICTURE_HEADERS = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
  // User interfaces on other origins show the logos.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

function svgImage(mark: Html): PageSource {
  return { contentType: 'image/svg+xml', headers: PICTURE_HEADERS, text: mark.text };
}
