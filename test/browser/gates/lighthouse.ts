/** Runs Lighthouse as on a phone, on the service that search engines may list: the demo keeps them out. */

import { after, before } from 'node:test';
import lighthouse, { type Result } from 'lighthouse';
import { type Browser, launch } from 'puppeteer-core';
import { CHROMIUM_FLAGS } from '../support/chromium.ts';
import { indexedSiteAddress, newClientAddress } from '../support/demo-site.ts';
import { browserPath } from '../support/installed-browsers.ts';
import { sitemapPaths } from './example-pages.ts';

let browser: Browser;

/** Starts the browser before the tests of a file and closes it after them. */
export function useLighthouse(): void {
  before(async () => {
    browser = await launch({ executablePath: browserPath('chromium'), args: [...CHROMIUM_FLAGS] });
  });
  after(() => browser.close());
}

/**
 * What Lighthouse says of a page in some categories.
 *
 * @param cpuSlowdown How many times slower than this machine the phone is.
 */
export async function runLighthouse(path: string, categories: readonly string[], cpuSlowdown: number): Promise<Result> {
  const page = await browser.newPage();
  try {
    const extraHeaders = { 'X-Forwarded-For': newClientAddress() };
    const flags = { logLevel: 'error' as const, onlyCategories: [...categories], extraHeaders };
    const throttling = { cpuSlowdownMultiplier: cpuSlowdown };
    const run = await lighthouse(indexedSiteAddress() + path, { ...flags, throttling }, undefined, page);
    if (run === undefined) throw new Error(`no result for ${path}`);
    return run.lhr;
  } finally {
    await page.close();
  }
}

/**
 * The pages that people read most: of the country, a city, a fuel, a county, a network, a station and the day; the
 * documentation.
 */
export async function readingPages(): Promise<string[]> {
  const [station = ''] = await sitemapPaths(indexedSiteAddress(), 'stations');
  const city = '/preturi-carburanti/cluj-napoca';
  return ['/', city, `${city}/benzina`, '/judet/cluj', '/retea/petrom', station, '/azi', '/docs'];
}

/** The pages with a map. */
export const MAP_PAGES: readonly string[] = ['/harta', '/traseu/bucuresti/cluj-napoca'];
