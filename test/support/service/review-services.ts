/** Services that store reviews in one database, with a captcha verifier on loopback. */

import type { TestContext } from 'node:test';
import type { SitePageLookup } from '../../../src/api/response/site-pages.ts';
import { createSubmissions, type SubmissionsComponent } from '../../../src/app/create-submissions.ts';
import type { CaptchaKind } from '../../../src/domain/access/captcha-kind.ts';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import type { Snapshot } from '../../../src/snapshot/snapshot.ts';
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import { newAddress } from '../builders/client-addresses.ts';
import { aStation, recordsOf, trusted } from '../builders/snapshot-builders.ts';
import { addressHashOn } from '../database/named-hashes.ts';
import { type TestDatabase, testDatabase } from '../database/test-database.ts';
import { CaptchaVerifier } from '../simulators/captcha-verifier.ts';
import { world } from '../worlds/contract-world.ts';
import { type Reply, TestService } from './test-service.ts';

/** Stations to review, more than any test file needs. */
const STATIONS = 200;
const stations = Array.from({ length: STATIONS }, (_, i) => aStation({ id: i.toString(16).padStart(12, '0') }));
const snapshot = world({ records: stations.flatMap((station) => recordsOf(station, { petrol: trusted(7_450) })) });
const publicUrl = () => 'https://pompa.example.ro';
const silentLog = { warn: () => undefined };

type ReviewServicesOptions = {
  readonly count?: number;
  readonly captcha?: CaptchaKind;
  readonly connect?: (database: TestDatabase) => Promise<DatabaseConnection>;
  /** The pages that show what visitors sent; none by default. */
  readonly siteOf?: (sent: SubmissionsComponent, snapshot: Snapshot) => SitePageLookup;
};
type ReviewPostOptions = { from?: string; to?: TestService; headers?: Record<string, string> };

export class ReviewServices {
  readonly database: TestDatabase;
  readonly verifier: CaptchaVerifier;
  readonly services: readonly TestService[];
  readonly #reviews: readonly SubmissionsComponent[];
  #stations = 0;

  private constructor(
    database: TestDatabase,
    verifier: CaptchaVerifier,
    services: readonly TestService[],
    reviews: readonly SubmissionsComponent[],
  ) {
    this.database = database;
    this.verifier = verifier;
    this.services = services;
    this.#reviews = reviews;
  }

  /** Starts `count` services as separate processes have them, by default with the verifier on loopback. */
  static async start({
    count = 1,
    captcha = 'recaptcha',
    connect = async (database) => database,
    siteOf,
  }: ReviewServicesOptions = {}): Promise<ReviewServices> {
    const database = await testDatabase();
    const connection = await connect(database);
    const verifier = await CaptchaVerifier.start();
    const settings = {
      CONTACT: null,
      PRICE_RANGES: DEFAULT_RANGES,
      CAPTCHA_KIND: captcha,
      CAPTCHA_SITE_KEY: null,
      CAPTCHA_SECRET: 'the secret',
      CAPTCHA_URL: verifier.url,
      CAPTCHA_HOSTNAMES: null,
      CAPTCHA_MIN_SCORE: 0.5,
    };
    const reviews = await Promise.all(
      Array.from({ length: count }, async () => {
        const hashes = await addressHashOn(database);
        return createSubmissions(settings, { database: connection, hashes, log: silentLog, publicUrl });
      }),
    );
    const services = await Promise.all(
      reviews.map((each) =>
        TestService.start({
          ...{ snapshot, reviews: each.reviews, reports: each.reports },
          ...(siteOf && { site: siteOf(each, snapshot) }),
        }),
      ),
    );
    return new ReviewServices(database, verifier, services, reviews);
  }

  static async during(test: TestContext, options: ReviewServicesOptions = {}): Promise<ReviewServices> {
    const reviewing = await ReviewServices.start(options);
    test.after(() => reviewing.close());
    return reviewing;
  }

  get service(): TestService {
    return this.services[0] as TestService;
  }

  /** The slug of a station that nobody has reviewed yet. */
  newStation(): string {
    const { id } = stations[this.#stations++ % STATIONS] as { id: string };
    return `petrom-cluj-napoca-${id}`;
  }

  /** Posts a body, as an object or in bytes, by default from a new address. */
  post(
    body: unknown,
    { from = newAddress(), to = this.service, headers = {} }: ReviewPostOptions = {},
  ): Promise<Reply> {
    return to.ask('/api/v1/review', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from, ...headers },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  }

  /** As `post`, but retries a 503, which a slow database causes on a busy machine. */
  async postWithRetries(body: unknown, sent: ReviewPostOptions = {}): Promise<Reply> {
    for (;;) {
      const reply = await this.post(body, { from: newAddress(), ...sent });
      if (reply.status !== 503) return reply;
    }
  }

  read(slug: string, to = this.service): Promise<Reply> {
    return to.ask(`/api/v1/reviews/${slug}`);
  }

  async close(): Promise<void> {
    await Promise.all(this.services.map(({ api }) => api.close()));
    await Promise.all(this.#reviews.map((each) => each.close()));
    await this.verifier.close();
    await this.database.drop();
  }
}
