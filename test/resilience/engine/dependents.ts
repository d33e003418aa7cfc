/** Requests that cannot be answered from memory alone, for the time of a database fault and for the recovery. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newAddress } from '../../support/builders/client-addresses.ts';
import { CaptchaVerifier } from '../../support/simulators/captcha-verifier.ts';
import { GermanSourceDouble } from '../../support/simulators/german-source.ts';
import { timed } from '../../support/stopwatch.ts';

type DependentRequest = {
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

type DatabaseDependent = {
  readonly name: string;
  /** Makes a new request each time. */
  readonly ask: (dependents: Dependents) => DependentRequest;
  /** The status while everything works. */
  readonly expectedStatus: number;
  /** Whether the answer may be 503 while the database is unavailable; otherwise it must be as usual. */
  readonly needsDatabase: boolean;
  /** Concurrent requests, by default 1. */
  readonly concurrency?: number;
};

const ROUTE_PATH = '/api/v1/traseu/custom';
const CAPPED = '/api/v1/retele';
const FAR = { start: 'Sulina', end: 'Turda' };
const NEAR = { start: 'Cluj-Napoca', end: 'Turda' };

const DEPENDENTS: readonly DatabaseDependent[] = [
  {
    name: 'a key',
    ask: (dependents) => ({ path: CAPPED, headers: dependents.key() }),
    expectedStatus: 200,
    needsDatabase: true,
  },
  {
    name: 'a key’s report',
    ask: (dependents) => ({ path: '/api/v1/cheie', headers: dependents.key() }),
    expectedStatus: 200,
    needsDatabase: true,
  },
  {
    name: 'a key, refunded',
    ask: (dependents) => ({ path: ROUTE_PATH, body: FAR, headers: dependents.key() }),
    expectedStatus: 400,
    needsDatabase: true,
  },
  { name: 'a visitor', ask: () => ({ path: CAPPED }), expectedStatus: 200, needsDatabase: false },
  { name: 'places', ask: () => ({ path: '/api/v1/geocode?q=iasi' }), expectedStatus: 200, needsDatabase: false },
  { name: 'a route', ask: () => ({ path: ROUTE_PATH, body: NEAR }), expectedStatus: 200, needsDatabase: false },
  {
    name: 'an impossible route, refunded',
    ask: () => ({ path: ROUTE_PATH, body: FAR }),
    expectedStatus: 400,
    needsDatabase: false,
  },
  {
    name: 'a crawler',
    ask: () => ({ path: CAPPED, headers: { 'User-Agent': 'GPTBot/1.0' } }),
    expectedStatus: 200,
    needsDatabase: false,
  },
  {
    name: 'reviews',
    ask: (dependents) => ({ path: `/api/v1/reviews/${dependents.slug}` }),
    expectedStatus: 200,
    needsDatabase: true,
  },
  {
    name: 'stars',
    ask: (dependents) => ({ path: '/api/v1/review', body: dependents.review() }),
    expectedStatus: 200,
    needsDatabase: true,
  },
  {
    name: 'a review with text',
    ask: (dependents) => ({
      path: '/api/v1/review',
      body: { ...dependents.review(), comment: 'Curat.', recaptcha_token: dependents.token() },
    }),
    expectedStatus: 200,
    needsDatabase: true,
  },
  { name: 'Germany', ask: (dependents) => ({ path: dependents.germany() }), expectedStatus: 200, needsDatabase: true },
  {
    name: 'a subscription',
    ask: (dependents) => ({ path: '/api/v1/push/subscribe', body: dependents.subscription() }),
    expectedStatus: 200,
    needsDatabase: true,
    // More than the connections of a process.
    concurrency: 12,
  },
];

export type DependentsOptions = {
  /** Keys that nothing else uses, enough that each stays within its rate limit. */
  readonly keys: readonly string[];
  /** Id of a station in the answers. */
  readonly station: string;
  /** An answer that takes longer is a violation, ms. */
  readonly answeredWithinMs: number;
  readonly onViolation: (sentence: string) => void;
};

/** Settings that point to healthy simulators, so that only the database can affect the answers. */
export type ExternalServices = { readonly settings: Readonly<Record<string, string>>; close(): Promise<void> };

/** Starts the German source and the captcha verifier, both healthy. */
export async function startExternalServices(): Promise<ExternalServices> {
  const [german, captcha] = await Promise.all([GermanSourceDouble.start(), CaptchaVerifier.start()]);
  return {
    settings: {
      CONTACT: 'ops@example.org',
      TANKERKOENIG_URL: german.url,
      TANKERKOENIG_API_KEY: '00000000-0000-0000-0000-000000000002',
      TANKERKOENIG_PER_HOUR: '250',
      CAPTCHA_SECRET: 'secret',
      CAPTCHA_URL: captcha.url,
      CAPTCHA_HOSTNAMES: 'pompa.example.ro',
    },
    close: async () => void (await Promise.all([german.close(), captcha.close()])),
  };
}

const PAUSE_MS = 250;
/** Longer than any answer may take, so that a late answer is reported with its duration. */
const LOST_AFTER_MS = 30_000;

export class Dependents {
  readonly slug: string;
  readonly #options: DependentsOptions;
  #drawn = 0;
  #keys = 0;

  constructor(options: DependentsOptions) {
    this.#options = options;
    this.slug = `a-b-${options.station}`;
  }

  /** Sends every request, all at once, and reports answers that are not documented for an unavailable database. */
  async ask(address: string, when: string): Promise<void> {
    const requests = DEPENDENTS.flatMap((each) =>
      Array.from({ length: each.concurrency ?? 1 }, () => this.#askOne(each, address, when)),
    );
    await Promise.all([...requests, this.#askTwice(address, when)]);
  }

  /** Repeats each request until it is answered as usual; returns how long that took for the slowest one, ms. */
  async untilAllAnswered(address: string, when: string): Promise<number> {
    const end = performance.now() + LOST_AFTER_MS;
    const answered = async (each: DatabaseDependent) => {
      for (let status = 0; status !== each.expectedStatus; ) {
        status = await this.#askOne(each, address, when);
        if (status === each.expectedStatus) return;
        if (performance.now() > end) throw new Error(`${when}: ${each.name} is still answered ${status}`);
        await sleep(PAUSE_MS);
      }
    };
    return (await timed(() => Promise.all(DEPENDENTS.map(answered)))).ms;
  }

  key(): Record<string, string> {
    this.#keys += 1;
    return { 'X-Api-Key': this.#options.keys[this.#keys % this.#options.keys.length] as string };
  }

  review(): object {
    return { statie_slug: this.slug, rating: 5 };
  }

  token(): string {
    return `token ${this.#next()}`;
  }

  /** Uses another hundredth of a degree each time. */
  germany(): string {
    const cell = this.#next();
    return `/api/v1/de-statii?lat=${48 + (cell % 500) / 100}&lng=${9 + (Math.floor(cell / 500) % 300) / 100}`;
  }

  subscription(): object {
    const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url');
    const endpoint = `https://fcm.googleapis.com/fcm/send/${this.#next()}`;
    return { endpoint, p256dh, auth: Buffer.alloc(16, 1).toString('base64url') };
  }

  #next(): number {
    this.#drawn += 1;
    return this.#drawn;
  }

  async #askOne(
    { name, ask, expectedStatus, needsDatabase }: DatabaseDependent,
    address: string,
    when: string,
  ): Promise<number> {
    const reply = await this.#send(address, ask(this), `${when}: ${name}`);
    const { status } = reply;
    if (status === 503 && needsDatabase) this.#checkUnavailable(name, reply, when);
    else if (status !== expectedStatus)
      this.#options.onViolation(`${when}: ${name}: ${status} ${reply.text.slice(0, 200)}`);
    return status;
  }

  /** Sends two requests from one address: the cap holds, with the database and without. */
  async #askTwice(address: string, when: string): Promise<void> {
    const headers = { 'X-Forwarded-For': newAddress() };
    const first = await this.#send(address, { path: CAPPED, headers }, `${when}: a visitor`);
    const second = await this.#send(address, { path: CAPPED, headers }, `${when}: a visitor, again`);
    if (first.status !== 200 || second.status !== 429)
      this.#options.onViolation(`${when}: a visitor is answered ${first.status} and then ${second.status}`);
  }

  /** A 503 to a key says when to retry; every other one is the standard envelope. */
  #checkUnavailable(name: string, { headers, text }: DependentReply, when: string): void {
    const { retry_after_seconds: seconds, ...envelope } = JSON.parse(text);
    const keyed = name.startsWith('a key');
    const complete = keyed ? seconds === 30 && headers.get('retry-after') === '30' : Object.keys(envelope).length === 2;
    if (!complete || envelope.status !== 'error')
      this.#options.onViolation(`${when}: ${name}: 503 ${text.slice(0, 200)}`);
  }

  async #send(address: string, { path, body, headers }: DependentRequest, what: string): Promise<DependentReply> {
    const { ms, result } = await timed(async () => {
      const response = await fetch(address + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'X-Forwarded-For': newAddress(), ...(body && { 'Content-Type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(LOST_AFTER_MS),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
    if (ms > this.#options.answeredWithinMs)
      this.#options.onViolation(`${what}: ${result.status} after ${Math.round(ms)} ms`);
    return result;
  }
}

type DependentReply = { readonly status: number; readonly headers: Headers; readonly text: string };
