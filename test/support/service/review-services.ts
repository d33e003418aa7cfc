/** Services that take reviews into one database, with a captcha's verifier on loopback. */
import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createReviewsComponent, type ReviewsComponent } from '../../../src/app/reviews-service.ts';
import { trustedProxies } from '../../../src/config/addresses.ts';
import type { DatabaseConnection } from '../../../src/store/connection/database-connection.ts';
import { aStation, recordsOf, trusted } from '../builders/snapshot-builders.ts';
import { type TestDatabase, testDatabase } from '../database/test-database.ts';
import { CaptchaVerifier } from '../simulators/captcha-verifier.ts';
import { world } from '../worlds/contract-world.ts';
import { newAddress, type Reply, Service } from './service.ts';

/** Stations to be reviewed, as many as there are tests and more. */
const STATIONS = 200;
const stations = Array.from({ length: STATIONS }, (_, i) => aStation({ id: i.toString(16).padStart(12, '0') }));
const snapshot = world({ records: stations.flatMap((station) => recordsOf(station, { petrol: trusted(7_450) })) });
/** As all processes of one database hash. */
const hash = (client: string) => createHash('sha256').update(`key ${client}`).digest().subarray(0, 16);
const publicUrl = () => 'https://pompa.example.ro';
const silentLog = { warn: () => undefined };

type ReviewServicesOptions = {
  readonly count?: number;
  readonly secret?: string | null;
  readonly connect?: (database: TestDatabase) => Promise<DatabaseConnection>;
};
type ReviewPostOptions = { from?: string; to?: Service; headers?: Record<string, string> };

export class ReviewServices {
  readonly database: TestDatabase;
  readonly verifier: CaptchaVerifier;
  readonly services: readonly Service[];
  readonly #reviews: readonly ReviewsComponent[];
  #stations = 0;

  private constructor(
    database: TestDatabase,
    verifier: CaptchaVerifier,
    services: readonly Service[],
    reviews: readonly ReviewsComponent[],
  ) {
    this.database = database;
    this.verifier = verifier;
    this.services = services;
    this.#reviews = reviews;
  }

  /** So many services, each as a process has it; `secret` null = no captcha, `connect` false = no database yet. */
  static async start({
    count = 1,
    secret = 'the secret',
    connect = async (database) => database,
  }: ReviewServicesOptions = {}): Promise<ReviewServices> {
    const database = await testDatabase();
    const connection = await connect(database);
    const verifier = await CaptchaVerifier.start();
    const settings = {
      TRUSTED_PROXIES: trustedProxies('127.0.0.1'),
      CONTACT: null,
      CAPTCHA_SECRET: secret,
      CAPTCHA_URL: verifier.url,
      CAPTCHA_HOSTNAMES: null,
      CAPTCHA_MIN_SCORE: 0.5,
    };
    const reviews = Array.from({ length: count }, () =>
      createReviewsComponent(settings, { database: connection, hash, log: silentLog, publicUrl }),
    );
    const services = await Promise.all(reviews.map((each) => Service.start({ snapshot, reviews: each.reviews })));
    return new ReviewServices(database, verifier, services, reviews);
  }

  static async during(test: TestContext, options: ReviewServicesOptions = {}): Promise<ReviewServices> {
    const reviewing = await ReviewServices.start(options);
    test.after(() => reviewing.close());
    return reviewing;
  }

  get service(): Service {
    return this.services[0] as Service;
  }

  /** The slug of a station that nobody has reviewed yet. */
  newStation(): string {
    const { id } = stations[this.#stations++ % STATIONS] as { id: string };
    return `petrom-cluj-napoca-${id}`;
  }

  /** Posts a body, as an object or in bytes, from an address of its own unless one is given. */
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

  /** As `post`; sent again where a busy machine was too slow for the database, as a visitor would. */
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
