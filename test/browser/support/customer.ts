/** Somebody who buys, in a browser that notes what is wrong with the pages they see. */
import assert from 'node:assert/strict';
import type { Page, Response } from 'playwright-core';
import type { SellingSite } from '../../support/service/selling-site.ts';
import { visit } from './chromium.ts';
import type { SentPage } from './markup-defects.ts';
import { PHONE, shownDefects } from './page-defects.ts';

export type Language = 'ro' | 'en';

type CustomerOptions = { readonly language?: Language; readonly hasCode?: boolean; readonly email?: string };

const DESK = { width: 1280, height: 900 };
/** The browser reports the status of a page that says what is wrong. */
const STATUS_REPORT = /the server responded with a status of (400|402|404) /;

let customers = 0;
/** The pages that were looked at, by heading and whether code ran. */
const lookedAt = new Set<string>();

export class Customer {
  readonly email: string;
  readonly page: Page;
  readonly language: Language;
  /** The pages that were looked at. */
  readonly pages: SentPage[] = [];
  readonly #hasCode: boolean;
  readonly #defects: string[] = [];
  #latest: Response | undefined;

  private constructor(page: Page, { language = 'ro', hasCode = true, email }: CustomerOptions) {
    customers += 1;
    this.email = email ?? `client${customers}@exemplu.ro`;
    this.page = page;
    this.language = language;
    this.#hasCode = hasCode;
    this.#watch(page);
  }

  /** Opens a page of the site in a new browser, on a phone. */
  static async start(site: SellingSite, path: string, options: CustomerOptions = {}): Promise<Customer> {
    const { hasCode = true } = options;
    const page = await visit('about:blank', { baseURL: site.address, hasCode, colorScheme: 'light' });
    const customer = new Customer(page, options);
    await page.goto(path);
    return customer;
  }

  /** The words of a page in the language of the customer. */
  readonly say = (ro: string, en: string): string => (this.language === 'ro' ? ro : en);

  /** Presses a button. */
  readonly press = async (ro: string, en = ro): Promise<void> => {
    await this.page.getByRole('button', { name: this.say(ro, en), exact: true }).click();
  };

  /** Follows a link of the content. */
  async follow(ro: string, en = ro): Promise<void> {
    await this.page
      .getByRole('main')
      .getByRole('link', { name: this.say(ro, en), exact: true })
      .click();
  }

  /** Waits for the page with this main heading, and looks at it if no customer like this one has yet. */
  async see(ro: string, en = ro): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: this.say(ro, en), exact: true }).waitFor();
    const kind = `${this.say(ro, en)}, ${this.#hasCode}`;
    if (lookedAt.has(kind)) return;
    lookedAt.add(kind);
    await this.look();
  }

  /** Notes what is wrong with a mail, as it is shown beside the page. */
  async lookAtMail(html: string): Promise<void> {
    const tab = await this.page.context().newPage();
    await tab.setContent(html);
    this.#note('a mail', await shownDefects(tab, [PHONE]));
    await tab.close();
  }

  /** Notes what is wrong with the page, as it was sent and as it is shown. */
  async look(): Promise<void> {
    const response = this.#latest;
    if (response === undefined) throw new Error('no page was opened');
    const path = response.url().slice(new URL(response.url()).origin.length);
    this.pages.push({ path, html: await response.text() });
    if (!this.#hasCode) return;
    const defects = await shownDefects(this.page, this.language === 'ro' ? [DESK, PHONE] : [PHONE]);
    await this.page.emulateMedia({ colorScheme: 'light' });
    this.#note(path, defects);
  }

  /** The text of the content. */
  text(): Promise<string> {
    return this.page.getByRole('main').innerText();
  }

  /** Checks that this site has set no cookie so far. */
  async assertNoCookies(): Promise<void> {
    assert.deepEqual(await this.page.context().cookies(), []);
  }

  /** Checks that no page so far had a defect, and leaves. */
  async leave(): Promise<void> {
    await this.page.context().close();
    assert.deepEqual(this.#defects, []);
  }

  /** Opens another tab in the same browser. */
  async openTab(path: string): Promise<Page> {
    const tab = await this.page.context().newPage();
    this.#watch(tab);
    await tab.goto(path);
    return tab;
  }

  #note(where: string, defects: readonly string[]): void {
    this.#defects.push(...defects.map((defect) => `${where}: ${defect}`));
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.#defects.push(`${page.url()} throws ${error.message}`));
    page.on('console', (message) => {
      // What the security policy blocks is reported so, too.
      if (message.type() === 'error' && !STATUS_REPORT.test(message.text()))
        this.#defects.push(`${page.url()} reports ${message.text()}`);
    });
    page.on('response', (response) => {
      const isPage = response.request().isNavigationRequest() && response.status() !== 303;
      if (isPage && page === this.page) this.#latest = response;
    });
  }
}
