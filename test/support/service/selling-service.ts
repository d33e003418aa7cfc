/** A service that sells, with a database of its own and a Stripe in memory. */

import type { BillingDependencies } from '../../../src/api/billing/billing-dependencies.ts';
import type { BillingRoute } from '../../../src/api/billing/billing-route.ts';
import { createProofLimits } from '../../../src/api/billing/proof-limits.ts';
import type { Database } from '../../../src/store/connection/database.ts';
import type { Schema } from '../../../src/store/connection/schema.ts';
import { FakeStripe, OFFER } from '../builders/selling-fixture.ts';
import { addressHashOn } from '../database/named-hashes.ts';
import { testDatabase } from '../database/test-database.ts';
import { aWholeSite } from './site-builders.ts';
import { type Reply, TestService } from './test-service.ts';

/** Accepts the tokens that begin with `good`. */
const CAPTCHA = { isAccepted: async (token: string) => token.startsWith('good'), identityOf: (token: string) => token };
const FORM = 'application/x-www-form-urlencoded';

type DroppedLater = Database<Schema> & { drop(): Promise<void> };

export class SellingService {
  readonly database: Database<Schema>;
  readonly service: TestService;
  readonly stripe: FakeStripe;

  /** What the operator was told in the log. */
  readonly warnings: string[];

  readonly #drop: () => Promise<void>;

  private constructor(
    { drop, ...database }: DroppedLater,
    service: TestService,
    stripe: FakeStripe,
    warnings: string[],
  ) {
    this.database = database;
    this.#drop = drop;
    this.service = service;
    this.stripe = stripe;
    this.warnings = warnings;
  }

  /** @param given what `close` drops; a new database, unless it is given */
  static async start(
    routesOf: (dependencies: BillingDependencies) => BillingRoute[],
    given?: DroppedLater,
  ): Promise<SellingService> {
    const database = given ?? (await testDatabase());
    const stripe = new FakeStripe();
    const publicUrl = () => 'https://pompa.example';
    const warnings: string[] = [];
    const log = { error: () => undefined, warn: (_: object, message: string) => void warnings.push(message) };
    const hashes = await addressHashOn(database);
    const parts = { database, hashes, stripe: stripe.client, offer: OFFER, publicUrl, clock: Date.now, log };
    const billing = routesOf({ ...parts, limits: createProofLimits(log), captcha: CAPTCHA });
    const site = aWholeSite({ selling: OFFER, publicUrl });
    const pages = Object.assign(
      (path: string, query: URLSearchParams) => site(path, query),
      site.billingPage && { billingPage: site.billingPage },
    );
    const service = await TestService.start({ billing, site: pages, publicUrl });
    return new SellingService(database, service, stripe, warnings);
  }

  get(path: string, from?: string): Promise<Reply> {
    return this.service.ask(path, from === undefined ? {} : { headers: { 'X-Forwarded-For': from } });
  }

  post(path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}): Promise<Reply> {
    const body = new URLSearchParams(fields).toString();
    return this.service.ask(path, { method: 'POST', headers: { 'Content-Type': FORM, ...headers }, body });
  }

  async close(): Promise<void> {
    await this.service.api.close();
    await this.#drop();
  }
}
