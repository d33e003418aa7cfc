/** The site: finds what a path asks for, renders it from the current snapshot, and caches what is asked for often. */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import type { BillingView } from '../../domain/billing/billing-view.ts';
import { DEFAULT_RANGES } from '../../domain/fuel.ts';
import {
  EXPECTED_PATHS,
  languageOf,
  type MatchedRoute,
  matchRoute,
  SUGGESTIONS_PATH,
} from '../../domain/pages/routes.ts';
import { browserFiles as ownBrowserFiles } from '../assets/browser-files.ts';
import { embedTarget, isWidgetPath } from '../embeds/embed-address.ts';
import { tooManyWidgets } from '../embeds/embed-response.ts';
import type { OutsideTurn, Visitor } from '../frame/journey-planner.ts';
import type { Page, Redirect, SiteResponse } from '../frame/page.ts';
import { pageDocument } from '../frame/page-document.ts';
import type { SiteData } from '../frame/site-data.ts';
import { lastZoomOf } from '../map/street-zooms.ts';
import { previewReference } from '../previews/link-preview.ts';
import { PreviewPictures } from '../previews/preview-pictures.ts';
import { type TakeTurn, TileCache } from '../tiles/tile-cache.ts';
import { billingPage } from './billing-pages.ts';
import { notFoundPage } from './not-found/not-found-page.ts';
import { PAGE_MAKERS, QUERY_PARAMETERS, queryRead } from './page-makers.ts';
import { isCacheable, pageResponse, redirectTo, retryLater, targetOf } from './page-response.ts';
import { previewOfPage } from './preview-makers.ts';
import { BUSY, previewResponse } from './preview-response.ts';
import { inTurn } from './rendering-turn.ts';
import { suggestions } from './search/suggestions.ts';
import { siteFileAt } from './site-files.ts';
import type { SiteOptions } from './site-options.ts';
import { type PostedReport, reportOutcomePage } from './station/report-outcome-page.ts';
import { type PostedReview, reviewOutcomePage } from './station/review-outcome-page.ts';
import { tooManyPage } from './too-many/too-many-page.ts';

/** Answers a GET of a path outside the API; a path without a page gets the page that says so. */
export type Site = ((
  path: string,
  query: URLSearchParams,
  visitor: Visitor,
) => SiteResponse | Promise<SiteResponse>) & {
  /** The page at a target, if it is rendered from the current snapshot already; only embeds are cached with a query. */
  readonly cached: (target: string) => SiteResponse | undefined;
  /** The page for a client that has read too many. */
  readonly tooManyRequests: (path: string) => SiteResponse;
  /** What a visitor sees after posting a review; without reviews, nothing can be posted. */
  readonly reviewOutcome?: (posted: PostedReview) => SiteResponse;
  /** Likewise after a driver's report. */
  readonly reportOutcome?: (posted: PostedReport) => SiteResponse;
  /** A page of selling; without it, nothing is sold here. */
  readonly billingPage?: (view: BillingView) => SiteResponse;
};

/** Rendered pages cached of one snapshot: about 4 kB each as compressed, 30 kB plain. */
const MAX_CACHED_PAGES = 500;

type CachedPage = {
  readonly data: SiteData;
  readonly response: SiteResponse;
  /** What the page reads of a query: with any of it, the same path has other content. */
  readonly parameters: readonly string[];
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
    germany = null,
    clientOf = ({ peer }) => peer.remoteAddress ?? 'unknown',
    takeTurn = null,
    rasterize,
    api,
    firstPricesInSeconds,
    reviewsOf = null,
    reportsOf = null,
    dumps = () => null,
    latestChanges = null,
    selling = null,
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
    const files = dumps();
    const streetZoom = lastZoomOf(streets?.maxZoom ?? null);
    if (
      data?.snapshot !== shown ||
      data.publicUrl !== url ||
      data.firstPricesInSeconds !== waitSeconds ||
      data.streetZoom !== streetZoom ||
      data.dumps !== files
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
        germany,
        snapshot: shown,
        api: api(),
        firstPricesInSeconds: waitSeconds,
        reviewsOf,
        reportsOf,
        dumps: files,
        latestChanges,
        selling,
      };
    }
    return data;
  };

  const cachedAt = (path: string): SiteResponse | undefined => {
    const known = pageCache.get(path);
    if (known?.data !== currentData() || clock() >= known.until) return undefined;
    // Set anew, so that what nobody asks for goes first.
    pageCache.set(path, known);
    return known.response;
  };
  /** Rendered once per snapshot and language: whoever floods the site must not cost a rendering each time. */
  const tooManyRequests = (path: string): SiteResponse => {
    const language = languageOf(path);
    const isWidget = isWidgetPath(path);
    // No path is like it: they all begin with a slash.
    const key = `429 ${isWidget ? 'widget ' : ''}${language}`;
    const known = cachedAt(key);
    if (known !== undefined) return known;
    const input = currentData();
    const made = isWidget ? tooManyWidgets(path, input) : htmlResponse(tooManyPage(language), input);
    return cache(key, input, pageCache.get(key), made);
  };
  const pageAt = (path: string, query: URLSearchParams, visitor: Visitor) =>
    answerAt(embedTarget(path, query), query, visitor);
  /** `path` has the query in it where each variant of it is cached. */
  const answerAt = (path: string, query: URLSearchParams, visitor: Visitor): SiteResponse | Promise<SiteResponse> => {
    const known = cachedFor(path, query);
    if (known !== undefined) return known;
    const tile = tiles.at(path, tileTurnOf(visitor));
    if (tile !== undefined) return tile instanceof Promise ? tile.then((drawn) => drawn ?? BUSY) : tile;
    // Drawn in a thread of its own, which has turns of its own.
    const picture = previewResponse(path, { pictures, data: currentData(), visitor, clientOf });
    if (picture !== undefined) return picture;
    if (takeTurn === null) return render(path, query, visitor, (answer) => answer);
    return inTurn(
      () => takeTurn(visitor),
      // Rendered for somebody else in the meantime?
      (outsideTurn) => cachedFor(path, query) ?? render(path, query, visitor, outsideTurn),
    ).then((rendered) => (rendered === 'refused' ? retryLater(tooManyRequests(path)) : rendered));
  };
  const tileTurnOf = (visitor: Visitor): TakeTurn | undefined => {
    if (streets !== null) return () => streets.takeTurn(visitor);
    return takeTurn === null ? undefined : () => takeTurn(visitor);
  };
  const cachedFor = (path: string, query: URLSearchParams): SiteResponse | undefined =>
    pageCache.get(path)?.parameters.some((name) => query.has(name)) ? undefined : cachedAt(path);
  const render = (
    path: string,
    query: URLSearchParams,
    visitor: Visitor,
    outsideTurn: OutsideTurn,
  ): SiteResponse | Promise<SiteResponse> => {
    const known = pageCache.get(path);
    const input = currentData();
    if (path === SUGGESTIONS_PATH) return suggestions(query, visitor, input);
    const underWay = making.get(path);
    if (underWay !== undefined) return underWay;
    const file = siteFileAt(path, input, browserFiles);
    if (file instanceof Promise) return making.start(path, () => cacheOnceMade(path, file));
    if (file !== undefined)
      return file.singleUse === true ? file : cache(path, input, known, file, { forMs: file.cacheForMs });
    const canonical = path.length > 1 ? path.replace(/\/+$/, '').toLowerCase() : path;
    const expected = EXPECTED_PATHS.get(canonical);
    if (expected !== undefined) return redirectTo(expected);
    const route = matchRoute(canonical);
    if (route === undefined) return notFound(path, visitor, input);
    const read = queryRead(route.name, query);
    if (canonical !== path) {
      const address = targetOf(canonical, read);
      return address === null ? notFound(path, visitor, input) : redirectTo(address);
    }
    const made = PAGE_MAKERS[route.name]({ ...route, query: read, visitor, outsideTurn, data: input });
    const finished = (page: Page | Redirect | null) =>
      page === null ? notFound(path, visitor, input) : finish(page, path, read, route, input, known);
    return made instanceof Promise ? made.then(finished) : finished(made);
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
    ...(selling !== null && { billingPage: outcome(billingPage) }),
  });

  function finish(
    page: Page | Redirect,
    path: string,
    query: URLSearchParams,
    route: MatchedRoute,
    input: SiteData,
    known: CachedPage | undefined,
  ): SiteResponse {
    if ('redirect' in page) return redirectTo(page.redirect);
    const response = htmlResponse(page, input, route);
    if (!isCacheable(page) || query.size > 0) return { ...response, singleUse: true };
    return cache(path, input, known, response, { parameters: QUERY_PARAMETERS[route.name], forMs: page.cacheForMs });
  }

  function cache(
    path: string,
    input: SiteData,
    known: CachedPage | undefined,
    made: SiteResponse,
    {
      parameters = [],
      forMs = Number.POSITIVE_INFINITY,
    }: { parameters?: readonly string[] | undefined; forMs?: number | undefined } = {},
  ): SiteResponse {
    const earlier = known?.response.body;
    const response = earlier?.equals(made.body) ? { ...made, body: earlier } : made;
    pageCache.set(path, { data: input, response, parameters, until: clock() + forMs });
    return response;
  }

  async function cacheOnceMade(path: string, document: Promise<SiteResponse>): Promise<SiteResponse> {
    const input = currentData();
    const made = await document;
    return input === currentData() ? cache(path, input, pageCache.get(path), made) : made;
  }

  function notFound(path: string, visitor: Visitor, input: SiteData): SiteResponse {
    return htmlResponse(notFoundPage(path, visitor, input), input);
  }

  function htmlResponse(page: Page, input: SiteData, route?: MatchedRoute): SiteResponse {
    const preview = previewReference(previewOfPage(route, page.language, input));
    return pageResponse(page, pageDocument(page, { ...input, browserFiles, preview }).text);
  }
}
