/** The site: finds what a path asks for, renders it from the current snapshot, and caches what is asked for often. */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import type { CaptchaKind } from '../../domain/access/captcha-kind.ts';
import { DEFAULT_RANGES, type PriceRanges } from '../../domain/fuel.ts';
import type { MapTiles } from '../../domain/map-tiles.ts';
import { languageOf, type MatchedRoute, matchRoute, SUGGESTIONS_PATH } from '../../domain/pages/routes.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import type { Streets } from '../../vector-tiles/street-tiles.ts';
import { browserFiles as ownBrowserFiles } from '../assets/browser-files.ts';
import type { ApiDescription } from '../frame/api-description.ts';
import type { JourneyPlanner, Visitor } from '../frame/journey-planner.ts';
import type { Page, Redirect, SiteResponse } from '../frame/page.ts';
import { contentSecurityPolicy, pageDocument } from '../frame/page-document.ts';
import type { ReportsOf, ReviewsOf, SiteData } from '../frame/site-data.ts';
import { lastZoomOf } from '../map/street-zooms.ts';
import { previewReference } from '../previews/link-preview.ts';
import { PreviewPictures } from '../previews/preview-pictures.ts';
import type { Rasterize } from '../previews/rasterizer.ts';
import { type TakeTurn, TileCache } from '../tiles/tile-cache.ts';
import { documentAt } from './documents.ts';
import { notFoundPage } from './not-found/not-found-page.ts';
import { PAGE_MAKERS, QUERY_ROUTES } from './page-makers.ts';
import { previewOfPage } from './preview-makers.ts';
import { BUSY, previewResponse } from './preview-response.ts';
import { suggestions } from './search/suggestions.ts';
import { type PostedReport, reportOutcomePage } from './station/report-outcome-page.ts';
import { type PostedReview, reviewOutcomePage } from './station/review-outcome-page.ts';
import { tooManyPage } from './too-many/too-many-page.ts';

/** Answers a GET of a path outside the API; a path without a page gets the page that says so. */
export type Site = ((
  path: string,
  query: URLSearchParams,
  visitor: Visitor,
) => SiteResponse | Promise<SiteResponse>) & {
  /** The page at a path without a query, if it is rendered from the current snapshot already. */
  readonly cached: (path: string) => SiteResponse | undefined;
  /** The page for a client that has read too many. */
  readonly tooManyRequests: (path: string) => SiteResponse;
  /** What a visitor sees after posting a review; without reviews, nothing can be posted. */
  readonly reviewOutcome?: (posted: PostedReview) => SiteResponse;
  /** Likewise after a driver's report. */
  readonly reportOutcome?: (posted: PostedReport) => SiteResponse;
};

/** The streets of the operator's file, and the turns in which tiles with them are drawn. */
export type SiteStreets = Streets & {
  /** Resolves once the visitor may have a tile drawn; what it resolves with ends the turn. */
  readonly takeTurn: (visitor: Visitor) => ReturnType<TakeTurn>;
};

export type SiteOptions = {
  readonly publicUrl: () => string;
  readonly contact?: string | null;
  readonly captcha?: CaptchaKind;
  /** Of reCAPTCHA; without it, forms take no text where that is the captcha. */
  readonly captchaSiteKey?: string | null;
  /** Whether the service has the keys that price alerts are sent with; it has by default. */
  readonly hasAlerts?: boolean;
  readonly simulated: boolean;
  /** Tiles of another service for the movable map; our own if left out. */
  readonly mapTiles?: MapTiles | null;
  /** Streets for our own maps; none if left out. */
  readonly streets?: SiteStreets | null;
  readonly snapshot: () => Snapshot;
  readonly gazetteer: Gazetteer;
  /** Valid prices; the defaults if left out. */
  readonly ranges?: PriceRanges;
  /** The time from one collection to the next; `null` = not known. */
  readonly collectEveryMs?: number | null;
  /** The current time, epoch ms. */
  readonly clock?: () => number;
  readonly journeys: JourneyPlanner;
  /** Tells clients apart, which share the drawing of pictures; by connection if left out. */
  readonly clientOf?: (visitor: Visitor) => string;
  /** Turns the pictures of link previews into PNG; in a worker thread if left out. */
  readonly rasterize?: Rasterize;
  /** Seconds until the collection under way ends, estimated; `null` = not known. */
  readonly firstPricesInSeconds?: () => number | null;
  /** Without it, the pages of stations have no reviews. */
  readonly reviewsOf?: ReviewsOf;
  /** Without it, the pages of stations take no reports of drivers. */
  readonly reportsOf?: ReportsOf;
  /** What the documentation shows; not called before a page is requested. */
  readonly api: () => ApiDescription;
};

/** Rendered pages cached of one snapshot: about 4 kB each as compressed, 30 kB plain. */
const MAX_CACHED_PAGES = 500;

type CachedPage = {
  readonly data: SiteData;
  readonly response: SiteResponse;
  /** Whether the same path has other content with a query. */
  readonly readsQuery: boolean;
  /** Epoch ms. */
  readonly until: number;
};

/** The site of the current snapshot. */
export function createSite(options: SiteOptions): Site {
  const {
    publicUrl,
    contact = null,
    captcha = 'altcha',
    captchaSiteKey = null,
    hasAlerts = true,
    simulated,
    mapTiles = null,
    streets = null,
    snapshot,
    gazetteer,
    ranges = DEFAULT_RANGES,
    collectEveryMs = null,
    clock = Date.now,
    journeys,
    clientOf = ({ peer }) => peer.remoteAddress ?? 'unknown',
    rasterize,
    api,
    firstPricesInSeconds,
    reviewsOf = null,
    reportsOf = null,
  } = options;
  const browserFiles = ownBrowserFiles();
  const pageCache = new BoundedMap<CachedPage>(MAX_CACHED_PAGES);
  const tiles = new TileCache(streets);
  const pictures = new PreviewPictures(rasterize && { rasterize });
  let data: SiteData | undefined;
  /** The documents of the current data that are being made, so that many readers cost one. */
  let making = new SingleFlight<SiteResponse>();

  /** The same object for as long as nothing that pages are rendered from has changed. */
  const currentData = (): SiteData => {
    const shown = snapshot();
    const waitSeconds = shown.updatedAt === null ? (firstPricesInSeconds?.() ?? null) : null;
    const url = publicUrl();
    const streetZoom = lastZoomOf(streets?.maxZoom ?? null);
    if (
      data?.snapshot !== shown ||
      data.publicUrl !== url ||
      data.firstPricesInSeconds !== waitSeconds ||
      data.streetZoom !== streetZoom
    ) {
      making = new SingleFlight();
      data = {
        publicUrl: url,
        contact,
        captcha,
        captchaSiteKey,
        hasAlerts,
        simulated,
        mapTiles,
        streetZoom,
        gazetteer,
        ranges,
        collectEveryMs,
        clock,
        journeys,
        snapshot: shown,
        api: api(),
        firstPricesInSeconds: waitSeconds,
        reviewsOf,
        reportsOf,
      };
    }
    return data;
  };

  const cachedAt = (path: string): SiteResponse | undefined => {
    const known = pageCache.get(path);
    return known?.data === currentData() && clock() < known.until ? known.response : undefined;
  };
  /** Rendered once per snapshot and language: whoever floods the site must not cost a rendering each time. */
  const tooManyRequests = (path: string): SiteResponse => {
    const language = languageOf(path);
    // No path is like it: they all begin with a slash.
    const key = `429 ${language}`;
    const input = currentData();
    return cachedAt(key) ?? cache(key, input, pageCache.get(key), htmlResponse(tooManyPage(language), input));
  };
  const pageAt = (path: string, query: URLSearchParams, visitor: Visitor): SiteResponse | Promise<SiteResponse> => {
    const tile = tiles.at(path, streets === null ? undefined : () => streets.takeTurn(visitor));
    if (tile !== undefined) return tile instanceof Promise ? tile.then((drawn) => drawn ?? BUSY) : tile;
    const known = pageCache.get(path);
    const input = currentData();
    const isCurrent = known?.data === input && clock() < known.until;
    if (isCurrent && (query.size === 0 || !known.readsQuery)) return known.response;
    if (path === SUGGESTIONS_PATH) return suggestions(query, input);
    const picture = previewResponse(path, { pictures, data: input, visitor, clientOf });
    if (picture !== undefined) return picture;
    const document = making.get(path) ?? documentAt(path, input, browserFiles);
    if (document instanceof Promise) return making.get(path) ?? making.start(path, () => cacheOnceMade(path, document));
    if (document !== undefined) return cache(path, input, known, document);
    const canonical = path.length > 1 ? path.replace(/\/+$/, '').toLowerCase() : path;
    const route = matchRoute(canonical);
    if (route === undefined) return notFound(path, input);
    if (canonical !== path) return redirectTo(withQuery(canonical, query));
    const made = PAGE_MAKERS[route.name]({ ...route, query, visitor, data: input });
    if (!(made instanceof Promise)) return finish(made, path, query, route, input, known);
    return made.then((page) => finish(page, path, query, route, input, known));
  };
  const site = Object.assign(pageAt, { cached: cachedAt, tooManyRequests });
  const outcome =
    <Posted>(pageOf: (posted: Posted, input: SiteData) => Page) =>
    (posted: Posted): SiteResponse => {
      const input = currentData();
      return { ...htmlResponse(pageOf(posted, input), input), singleUse: true };
    };
  return Object.assign(site, {
    ...(reviewsOf !== null && { reviewOutcome: outcome(reviewOutcomePage) }),
    ...(reportsOf !== null && { reportOutcome: outcome(reportOutcomePage) }),
  });

  function finish(
    page: Page | Redirect | null,
    path: string,
    query: URLSearchParams,
    route: MatchedRoute,
    input: SiteData,
    known: CachedPage | undefined,
  ): SiteResponse {
    if (page === null) return notFound(path, input);
    if ('redirect' in page) return redirectTo(page.redirect);
    const response = htmlResponse(page, input, route);
    const readsQuery = QUERY_ROUTES.has(route.name);
    const depends = !isCacheable(page) || (readsQuery && query.size > 0);
    if (depends) return { ...response, singleUse: true };
    return cache(path, input, known, response, { readsQuery, forMs: page.cacheForMs });
  }

  function cache(
    path: string,
    input: SiteData,
    known: CachedPage | undefined,
    made: SiteResponse,
    { readsQuery = false, forMs = Number.POSITIVE_INFINITY }: { readsQuery?: boolean; forMs?: number | undefined } = {},
  ): SiteResponse {
    const earlier = known?.response.body;
    const response = earlier?.equals(made.body) ? { ...made, body: earlier } : made;
    pageCache.set(path, { data: input, response, readsQuery, until: clock() + forMs });
    return response;
  }

  async function cacheOnceMade(path: string, document: Promise<SiteResponse>): Promise<SiteResponse> {
    const input = currentData();
    const made = await document;
    return input === currentData() ? cache(path, input, pageCache.get(path), made) : made;
  }

  function notFound(path: string, input: SiteData): SiteResponse {
    return htmlResponse(notFoundPage(path, input), input);
  }

  function htmlResponse(page: Page, input: SiteData, route?: MatchedRoute): SiteResponse {
    const preview = previewReference(previewOfPage(route, page.language, input));
    return {
      status: page.status ?? 200,
      contentType: 'text/html; charset=utf-8',
      body: Buffer.from(pageDocument(page, { ...input, browserFiles, preview }).text),
      headers: pageHeaders(page),
    };
  }
}

function isCacheable({ isPrivate = false, isCacheable = true }: Page): boolean {
  return isCacheable && !isPrivate;
}

function pageHeaders(page: Page): Record<string, string> {
  return {
    'Cache-Control': page.isPrivate === true ? 'no-store' : 'no-cache',
    'Content-Language': page.language,
    'Content-Security-Policy': contentSecurityPolicy(page),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': page.hasForm === true ? 'same-origin' : 'no-referrer',
  };
}

function redirectTo(path: string): SiteResponse {
  return {
    status: 301,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`${path}\n`),
    headers: { Location: path, 'Cache-Control': 'public, max-age=3600' },
  };
}

function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
