/**
 * A service that sells, with all its parts in this process: the pages and the API on loopback, a database of its own, a
 * simulated Stripe and a simulated mailbox. The scheduled work of selling is done when a test asks for it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { createScheduledBilling } from '../../../src/app/billing/scheduled-billing.ts';
import { createCollector } from '../../../src/app/scheduled-work/create-collector.ts';
import type { RunningService } from '../../../src/app/service.ts';
import { startService } from '../../../src/app/start-service.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';
import { WEBHOOK_PATH } from '../../../src/domain/pages/billing-paths.ts';
import { exampleCountry } from '../../../src/simulation/country/example-country.ts';
import { startSimulatedMailbox } from '../../../src/simulation/mailbox/mailbox-server.ts';
import { startSimulatedRegister } from '../../../src/simulation/register/register-server.ts';
import { type SimulatedStripe, startSimulatedStripe } from '../../../src/simulation/stripe/stripe-server.ts';
import { registerSource } from '../../../src/sources/register/register.ts';
import { currentVersion } from '../../../src/store/prices/publication.ts';
import type { BillingWork } from '../../../src/worker/billing/billing-work.ts';
import { collect } from '../../../src/worker/collection/collect.ts';
import { newAddress } from '../builders/client-addresses.ts';
import { type TestDatabase, testDatabase } from '../database/test-database.ts';

const SECRET_KEY = 'sk_test_simulated';
const WEBHOOK_SECRET = 'whsec_simulated';
const FREE_KEY_QUOTA = '1000';
/** Bucharest, Cluj-Napoca and Brașov: more stations than a client without a key gets. */
const UNITS = [179_132, 54_975, 40_198];

export class SellingSite {
  /** Without a slash at its end. */
  readonly address: string;
  readonly stripe: SimulatedStripe;
  readonly database: TestDatabase;
  readonly #received: readonly string[];
  readonly #billing: BillingWork;
  readonly #running: AsyncDisposableStack;

  private constructor(
    parts: Pick<SellingSite, 'address' | 'stripe' | 'database'> & { readonly received: readonly string[] },
    billing: BillingWork,
    running: AsyncDisposableStack,
  ) {
    ({ address: this.address, stripe: this.stripe, database: this.database, received: this.#received } = parts);
    this.#billing = billing;
    this.#running = running;
  }

  /** Starts it with the stations of a few cities; `log` gets what the service and its work write. */
  static async start(
    log: Logger = pino({ level: 'silent' }),
    further: Readonly<Record<string, string>> = {},
  ): Promise<SellingSite> {
    await using starting = new AsyncDisposableStack();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-selling-'));
    starting.defer(() => rmSync(folder, { recursive: true }));
    const database = starting.adopt(await testDatabase(), (each) => each.drop());
    const country = exampleCountry(7, Date.now());
    const register = starting.adopt(await startSimulatedRegister({ country, clock: Date.now }), (each) => each.close());
    const mailbox = starting.adopt(await startSimulatedMailbox(), (each) => each.close());
    const stripe = starting.adopt(
      await startSimulatedStripe({ secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET, clock: Date.now }),
      (each) => each.close(),
    );
    const settings = {
      ...{ DATABASE_URL: database.url, DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', TRUSTED_PROXIES: '127.0.0.1' },
      ...{ SOURCES: 'register', REGISTER_URL: register.url, REGISTER_PAUSE_MS: '0' },
      ...{ STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: stripe.url.origin },
      ...{ SMTP_URL: mailbox.smtpUrl.href, MAIL_FROM: 'Pompa <pompa@exemplu.ro>', FREE_KEY_QUOTA },
      ...{ SELLER_NAME: 'Pompa Simulată SRL', SELLER_ADDRESS: 'Strada Exemplu 1, Cluj-Napoca, România' },
      ...{ SELLER_TAX_ID: 'RO00000000', SELLER_CONTACT: 'contact@exemplu.ro' },
      ...further,
    };
    const config = readConfig(settings, folder);
    const stop = new AbortController();
    const service = starting.adopt(
      await startService({ config, log, worker: false, simulated: true, signal: stop.signal }),
      (each) => each.close(),
    );
    starting.defer(() => stop.abort());
    const { address } = service;
    stripe.delivery.url = new URL(WEBHOOK_PATH, address).href;
    await collectCities(config, database, service);
    const billing = createScheduledBilling({ ...config, PORT: Number(new URL(address).port) }, database, log);
    if (billing === undefined) throw new Error('no mail is configured');
    starting.defer(() => billing.close());
    const parts = { address, stripe, database, received: mailbox.received };
    return new SellingSite(parts, billing, starting.move());
  }

  /** Does the scheduled work that is due: looks again at what Stripe reported, and sends mails. */
  async work(): Promise<void> {
    await this.stripe.delivery.idle();
    const { signal } = new AbortController();
    await this.#billing.sync(signal);
    await this.#billing.sendMails(signal);
  }

  /** All mails that were sent, oldest first. */
  mails(): Promise<Email[]> {
    return Promise.all(this.#received.map((raw) => PostalMime.parse(raw)));
  }

  /** The mails to an address, oldest first, after the work that is due. */
  async mailsTo(email: string): Promise<Email[]> {
    await this.work();
    const mails = await this.mails();
    return mails.filter(({ to }) => to?.some(({ address }) => address === email));
  }

  /** The latest mail to an address with such a subject. */
  async mailTo(email: string, subject: RegExp): Promise<{ text: string; html: string }> {
    const mails = await this.mailsTo(email);
    const found = mails.findLast((mail) => subject.test(mail.subject ?? ''));
    const { text, html } = found ?? {};
    if (text !== undefined && html !== undefined) return { text, html };
    throw new Error(`${email} got no mail ${subject}, only: ${mails.map((mail) => mail.subject).join('; ')}`);
  }

  /** An answer of the API to a client of its own, with a key or without. */
  async ask(target: string, key?: string): Promise<{ status: number; json: Record<string, unknown> }> {
    const headers = { 'X-Forwarded-For': newAddress(), ...(key !== undefined && { 'X-Api-Key': key }) };
    const response = await fetch(this.address + target, { headers });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  }

  close(): Promise<void> {
    return this.#running.disposeAsync();
  }
}

/** Collects the prices of a few cities, and waits until the service has them. */
async function collectCities(config: Config, database: TestDatabase, service: RunningService): Promise<void> {
  const defaults = createCollector(config, database, pino({ level: 'silent' }));
  const source = registerSource({ units: UNITS });
  const register = defaults.configuredSources.get('register');
  if (register === undefined) throw new Error('the register is not configured');
  const collector = { ...defaults, configuredSources: new Map([['register', { ...register, source }]]) };
  await service.database;
  await collect(collector, {
    ...{ sources: ['register'], at: null, fromArchive: false, force: false, scheduled: true, waitMs: 60_000 },
    ...{ onProgress: () => undefined, signal: new AbortController().signal },
  });
  await service.follower.waitForVersion(await currentVersion(database));
}
