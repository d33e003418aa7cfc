/** Chromium, and visitors of the demo in it; they leave when the browser is closed. */
import { after, before, test } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { newClientAddress, siteAddress } from './demo-site.ts';
import { browserPath } from './installed-browsers.ts';

/** Nothing but our own requests leaves the browser; the sandbox needs rights that containers lack. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 } };

/** A page that does not come to show what a test waits for has failed. */
const TIMEOUT_MS = 20_000;

/** `hasCode`: the browser runs the code of pages. */
type VisitorOptions = BrowserContextOptions & { readonly hasCode?: boolean };

let browser: Browser;

/** Starts the browser before the tests of a file and closes it after them. */
export function useChromium(): void {
  before(async () => {
    browser = await chromium.launch({ executablePath: browserPath('chromium'), args: [...CHROMIUM_FLAGS] });
  });
  after(() => browser.close());
}

/**
 * The page of a new visitor of the demo: an address of their own, an empty profile, a phone unless the options differ.
 */
export async function visit(path: string, { hasCode = true, ...options }: VisitorOptions = {}): Promise<Page> {
  const visitor = await browser.newContext({
    ...PHONE,
    baseURL: siteAddress(),
    javaScriptEnabled: hasCode,
    locale: 'ro-RO',
    timezoneId: 'Europe/Bucharest',
    extraHTTPHeaders: { 'X-Forwarded-For': newClientAddress() },
    ...options,
  });
  visitor.setDefaultTimeout(TIMEOUT_MS);
  const page = await visitor.newPage();
  await page.goto(path);
  return page;
}

/** Registers a test twice: for a visitor whose browser runs the code of pages, and for one whose browser runs none. */
export function testWithAndWithoutCode(title: string, go: (hasCode: boolean) => Promise<void>): void {
  test(`${title}, with JavaScript`, () => go(true));
  test(`${title}, without JavaScript`, () => go(false));
}
