/** A site on given data, read as a client reads it. */
import assert from 'node:assert/strict';
import { createJourneyPlanner } from '../../../src/app/routing-service.ts';
import type { CaptchaKind } from '../../../src/domain/access/captcha-kind.ts';
import type { SellingOffer } from '../../../src/domain/billing/selling-offer.ts';
import { DEFAULT_RANGES, type PriceRanges } from '../../../src/domain/fuel.ts';
import type { MapTiles } from '../../../src/domain/map-tiles.ts';
import type { DumpManifest } from '../../../src/dumps/manifest.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import type { GermanPages } from '../../../src/site/frame/german-pages.ts';
import type { JourneyPlanner, Visitor } from '../../../src/site/frame/journey-planner.ts';
import type { LatestChanges } from '../../../src/site/frame/latest-changes.ts';
import type { SiteResponse } from '../../../src/site/frame/page.ts';
import type { ReportsOf, ReviewsOf } from '../../../src/site/frame/site-data.ts';
import { createSite, type Site } from '../../../src/site/pages/site.ts';
import type { SiteStreets } from '../../../src/site/pages/site-options.ts';
import type { Rasterize } from '../../../src/site/previews/rasterizer.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import { aSnapshot, NOON } from '../builders/snapshot-builders.ts';
import { API_DESCRIPTION } from './real-api-description.ts';

export const SITE_URL = 'https://pompa.example';

const GAZETTEER = loadGazetteer();
/** Journeys on the built-in roads, loaded at the first one. Suggestions have no budget, which all tests would share. */
export const JOURNEYS: JourneyPlanner = {
  ...createJourneyPlanner(GAZETTEER),
  suggestPlaces: (text) => GAZETTEER.suggestPlaces(text),
};
const VISITOR: Visitor = { headers: {}, peer: { remoteAddress: '192.0.2.1' } };

export type SiteGiven = {
  readonly contact?: string | null;
  readonly captcha?: CaptchaKind;
  readonly captchaSiteKey?: string;
  readonly hasAlerts?: boolean;
  readonly simulated?: boolean;
  readonly mapTiles?: MapTiles | null;
  readonly streets?: SiteStreets | null;
  readonly snapshot?: Snapshot | (() => Snapshot);
  readonly journeys?: JourneyPlanner;
  readonly germany?: GermanPages | null;
  readonly publicUrl?: string | (() => string);
  readonly firstPricesInSeconds?: () => number | null;
  readonly ranges?: PriceRanges;
  readonly collectEveryMs?: number | null;
  readonly clock?: () => number;
  readonly reviewsOf?: ReviewsOf;
  readonly reportsOf?: ReportsOf;
  readonly rasterize?: Rasterize;
  readonly dumps?: DumpManifest | null;
  readonly selling?: SellingOffer;
  readonly latestChanges?: LatestChanges;
};

/** Reads a page that is made without waiting. The target may have a query. */
export function aSite(given: SiteGiven = {}): (target: string) => SiteResponse {
  const read = readerOf(given);
  return (target) => {
    const response = read(target);
    assert.ok(!(response instanceof Promise), `${target} is made without waiting`);
    return response;
  };
}

/** Reads any page. The target may have a query. */
export function aWaitingSite(given: SiteGiven = {}): (target: string) => Promise<SiteResponse> {
  const read = readerOf(given);
  return async (target) => read(target);
}

/** The text of a page that exists. */
export function readPage(target: string, given?: SiteGiven): string {
  return textOf(target, aSite(given)(target));
}

/** The text of any page that exists. */
export async function awaitPage(target: string, given?: SiteGiven): Promise<string> {
  return textOf(target, await aWaitingSite(given)(target));
}

type WholeSite = Pick<Site, 'reviewOutcome' | 'reportOutcome' | 'billingPage'> &
  ((path: string, query: URLSearchParams) => ReturnType<Site>);

/** The site with all that it does, for one visitor. */
export function aWholeSite(given: SiteGiven = {}): WholeSite {
  const {
    contact = null,
    captcha = 'altcha',
    captchaSiteKey = null,
    hasAlerts = true,
    simulated = false,
    mapTiles = null,
    streets = null,
    snapshot = aSnapshot(),
    publicUrl = SITE_URL,
    journeys = JOURNEYS,
    germany = null,
    firstPricesInSeconds,
    ranges = DEFAULT_RANGES,
    collectEveryMs = 2 * 3_600_000,
    clock = () => NOON,
    reviewsOf,
    reportsOf,
    rasterize,
    dumps = null,
    selling,
    latestChanges,
  } = given;
  const site = createSite({
    publicUrl: typeof publicUrl === 'string' ? () => publicUrl : publicUrl,
    contact,
    captcha,
    captchaSiteKey,
    hasAlerts,
    simulated,
    mapTiles,
    streets,
    journeys,
    germany,
    snapshot: typeof snapshot === 'function' ? snapshot : () => snapshot,
    gazetteer: loadGazetteer(),
    api: () => API_DESCRIPTION,
    ranges,
    collectEveryMs,
    clock,
    dumps: () => dumps,
    ...(firstPricesInSeconds && { firstPricesInSeconds }),
    ...(reviewsOf && { reviewsOf }),
    ...(reportsOf && { reportsOf }),
    ...(rasterize && { rasterize }),
    ...(selling && { selling }),
    ...(latestChanges && { latestChanges }),
  });
  const { reviewOutcome, reportOutcome, billingPage } = site;
  const pageAt = (path: string, query: URLSearchParams) => site(path, query, VISITOR);
  return Object.assign(
    pageAt,
    reviewOutcome && { reviewOutcome },
    reportOutcome && { reportOutcome },
    billingPage && { billingPage },
  );
}

function readerOf(given: SiteGiven): (target: string) => ReturnType<Site> {
  const site = aWholeSite(given);
  return (target) => {
    const [path = '', query = ''] = target.split('?', 2);
    return site(path, new URLSearchParams(query));
  };
}

function textOf(target: string, { status, body }: SiteResponse): string {
  assert.equal(status, 200, target);
  return body.toString();
}
