/** What the site serves besides pages: code for browsers, pictures, and files for machines. */
import { runInTimeSlices } from '../../concurrency/in-slices.ts';
import type { BrowserFiles } from '../assets/browser-files.ts';
import { MAP_FILE_PATH } from '../browser/map-stations.ts';
import { type ChangeFeed, changeFeedAt } from '../change-feeds/atom-feed.ts';
import { ELEMENT_PATH } from '../embeds/embed-address.ts';
import { embedResponse } from '../embeds/embed-response.ts';
import type { SiteResponse } from '../frame/page.ts';
import type { SiteData } from '../frame/site-data.ts';
import { bytesInSlices } from '../html/bytes-in-slices.ts';
import { FAVICON } from '../html/favicon.ts';
import type { Html } from '../html/html-template.ts';
import { networkLogo } from '../html/logo.ts';
import { llms } from '../machine-files/llms.ts';
import { robots } from '../machine-files/robots.ts';
import { sitemapAt } from '../machine-files/sitemap.ts';
import { MANIFEST } from '../machine-files/web-manifest.ts';
import { TILE_STYLE_SOURCE } from '../map/map-style.ts';
import { pictureAt } from '../parts/map-picture.ts';
import { iconAt } from '../pictures/icons.ts';
import { cityCsv } from './city/city-csv.ts';
import { dayCsv } from './days/day-csv.ts';
import { FEED_PATH } from './days/day-page.ts';
import { daysFeed } from './days/days-feed.ts';
import { mapFileTexts } from './map/map-file.ts';
import { aggregateCsv } from './open-data/aggregate-csv.ts';
import { redirectTo } from './page-response.ts';
import { statisticsCsv } from './statistics/statistics-csv.ts';

/**
 * The document at an address, whose query `embedTarget` has written; `undefined` = there is none. Files that grow with
 * the stations or the days are made in slices.
 */
export function siteFileAt(
  path: string,
  data: SiteData,
  browserFiles: BrowserFiles,
): SiteResponse | Promise<SiteResponse> | undefined {
  const code = browserFiles.read(path);
  if (code !== undefined)
    return text(code.contentType, code.isCurrent ? CODE_HEADERS : OUTDATED_CODE_HEADERS, code.content);
  if (path === '/sw.js') return text('text/javascript; charset=utf-8', WORKER_HEADERS, browserFiles.serviceWorker);
  if (path === MAP_FILE_PATH)
    return fileInSlices('application/json; charset=utf-8', MAP_FILE_HEADERS, mapFileTexts(data));
  const picture = pictureAt(path, data);
  if (picture !== null) return text('image/svg+xml', MAP_PICTURE_HEADERS, picture.text);
  if (path === '/favicon.svg') return svgImage(FAVICON);
  const icon = iconAt(path);
  if (icon !== undefined)
    return { status: 200, contentType: icon.contentType, headers: PICTURE_HEADERS, body: icon.bytes };
  if (path === ELEMENT_PATH) return text('text/javascript; charset=utf-8', ELEMENT_HEADERS, browserFiles.element);
  const embed = embedResponse(path, data);
  if (embed !== undefined) return embed;
  const machineFile = machineFileAt(path, data);
  if (machineFile !== undefined) return text(machineFile.type, MACHINE_FILE_HEADERS, machineFile.content);
  const sitemap = sitemapAt(path, data);
  if (sitemap !== undefined) return fileInSlices('application/xml; charset=utf-8', MACHINE_FILE_HEADERS, sitemap);
  const city = /^\/preturi-carburanti\/([a-z0-9-]+)\.csv$/.exec(path)?.[1];
  const csv = city === undefined ? null : cityCsv(city, data);
  if (csv !== null) return fileInSlices(CSV_TYPE, CSV_HEADERS, csv);
  const statistics = statisticsCsv(path, data);
  if (statistics !== null) return fileInSlices(CSV_TYPE, CSV_HEADERS, statistics);
  const aggregate = aggregateCsv(path, data);
  if (aggregate !== null) return fileInSlices(CSV_TYPE, AGGREGATE_HEADERS, aggregate);
  const day = dayCsv(path, data);
  if (day !== null) return fileInSlices(CSV_TYPE, CSV_HEADERS, day);
  for (const language of ['ro', 'en'] as const)
    if (path === FEED_PATH[language]) return text(FEED_TYPE, FEED_HEADERS, daysFeed(language, data).text);
  const feed = changeFeedAt(path, data);
  if (feed !== null) return changeFeedResponse(feed);
  const slug = /^\/logo\/([a-z0-9-]+)\.svg$/.exec(path)?.[1];
  const logo = slug === undefined ? undefined : networkLogo(slug, data.snapshot);
  return logo && svgImage(logo);
}

/** The path changes with the content. */
const CODE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const OUTDATED_CODE_HEADERS = { 'Cache-Control': 'no-store' };
/** The worker may load pages of this site, and nothing else. */
const WORKER_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
};
const MAP_FILE_HEADERS = { 'Cache-Control': 'no-cache' };
const MAP_PICTURE_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': `default-src 'none'; style-src ${TILE_STYLE_SOURCE}`,
};
const CSV_TYPE = 'text/csv; charset=utf-8; header=present';
const CSV_HEADERS = { 'Cache-Control': 'no-cache', 'Access-Control-Allow-Origin': '*' };
/** Spreadsheets read them again and again; a publication comes every two hours. */
const AGGREGATE_HEADERS = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' };
const FEED_TYPE = 'application/atom+xml; charset=utf-8';
const FEED_HEADERS = { 'Cache-Control': 'no-cache' };
const MACHINE_FILE_HEADERS = { 'Cache-Control': 'public, max-age=3600' };
const PICTURE_HEADERS = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': "default-src 'none'",
  // User interfaces on other origins show the logos.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** A module that pages of other origins run; its address never changes, so that they need not either. */
const ELEMENT_HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** A file for crawlers, browsers or language models. */
function machineFileAt(path: string, data: SiteData): { type: string; content: string } | undefined {
  if (path === '/robots.txt') return { type: 'text/plain; charset=utf-8', content: robots(data) };
  if (path === '/llms.txt') return { type: 'text/plain; charset=utf-8', content: llms(data) };
  if (path === '/manifest.webmanifest') return { type: 'application/manifest+json', content: MANIFEST };
  return undefined;
}

/** Changes are told after the prices are shown, and by time alone: a reader may get them so much later. */
const FEED_CACHE_MS = 60_000;

/** What was told is read within moments of the start, or once the database is back. */
const UNAVAILABLE_HEADERS = { 'Cache-Control': 'no-store', 'Retry-After': '5' };

function changeFeedResponse(feed: ChangeFeed): SiteResponse {
  if ('moved' in feed) return { ...redirectTo(feed.moved), singleUse: true };
  if ('document' in feed) return { ...text(FEED_TYPE, FEED_HEADERS, feed.document), cacheForMs: FEED_CACHE_MS };
  const refusal = text('text/plain; charset=utf-8', UNAVAILABLE_HEADERS, `${feed.unavailable}\n`);
  return { ...refusal, status: 503, singleUse: true };
}

function svgImage(mark: Html): SiteResponse {
  return text('image/svg+xml', PICTURE_HEADERS, mark.text);
}

function text(contentType: string, headers: Readonly<Record<string, string>>, content: string): SiteResponse {
  return { status: 200, contentType, headers, body: Buffer.from(content) };
}

async function fileInSlices(
  contentType: string,
  headers: Readonly<Record<string, string>>,
  texts: Iterable<string>,
): Promise<SiteResponse> {
  return { status: 200, contentType, headers, body: await runInTimeSlices(bytesInSlices(texts)) };
}
