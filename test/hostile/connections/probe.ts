/** A regular client that records how it is served during attacks. */
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { newAddress } from '../../support/builders/client-addresses.ts';

type ProbeRequest = { readonly path: string; readonly body?: string };

const PROBE_REQUESTS: readonly ProbeRequest[] = [
  { path: '/api/v1/preturi' },
  { path: '/api/v1/preturi/minime' },
  { path: '/api/v1/statii?lat=44.4325&lon=26.1039&raza=5' },
  { path: '/api/v1/statii?brand=petrom&tip=gpl' },
  { path: '/api/v1/judete/CJ' },
  { path: '/api/v1/geocode?q=iasi' },
  { path: '/api/v1/traseu/custom', body: '{"start":"Cluj-Napoca","end":"Iași","tip":"benzina_standard"}' },
  { path: '/api/v1/reviews/petrom-iasi-0a1b2c3d4e5f' },
  { path: '/api/v1/health' },
  { path: '/docs' },
];
/** Pause between two requests, ms. */
const PAUSE_MS = 5;
/** A request without an answer after this time counts as failed, ms. */
const TIMEOUT_MS = 10_000;
/**
 * Retries after a 503: on a busy machine the database may be too slow, and then the service leaves it alone for up to a
 * second at a time.
 */
const MAX_TRIES = 20;
const RETRY_DELAY_MS = 300;

type ProbeResult = {
  /** How long each correct answer took, ms. */
  readonly ms: readonly number[];
  readonly failures: readonly string[];
  /** Requests that were answered 503 at first. */
  readonly retried: number;
};

export class Probe {
  readonly #port: number;
  readonly #keys: readonly string[];
  readonly #expectedBodies: ReadonlyMap<string, Buffer>;
  readonly #agent = new http.Agent({ keepAlive: true });
  #sentCount = 0;
  #stopped = false;
  #work: Promise<unknown> = Promise.resolve();
  #ms: number[] = [];
  #failures: string[] = [];
  #retried = 0;

  private constructor(port: number, keys: readonly string[], expectedBodies: ReadonlyMap<string, Buffer>) {
    this.#port = port;
    this.#keys = keys;
    this.#expectedBodies = expectedBodies;
  }

  /** Records the correct answers before any attack, without a key and with its own keys. */
  static async create(port: number, keys: readonly string[]): Promise<Probe> {
    const expectedBodies = new Map<string, Buffer>();
    for (const request of PROBE_REQUESTS) {
      for (const [at, key] of [null, keys[0] as string].entries()) {
        const { status, body } = await sendUntilDecided(port, request, () => key, false);
        if (status !== 200) throw new Error(`${request.path} is answered ${status} while all is quiet`);
        expectedBodies.set(nameOf(request, at === 1), body);
      }
      // Below the rate limit of the one key.
      await wait(300);
    }
    return new Probe(port, keys, expectedBodies);
  }

  /** Starts to send requests: on a kept connection, on a new one each time, and on a kept one with alternating keys. */
  start(): void {
    this.#stopped = false;
    this.#ms = [];
    this.#failures = [];
    this.#retried = 0;
    this.#work = Promise.all([
      this.#requestLoop(this.#agent, false),
      this.#requestLoop(false, false),
      this.#requestLoop(this.#agent, true),
    ]);
  }

  /** Stops, and returns how the client was served. */
  async stop(): Promise<ProbeResult> {
    this.#stopped = true;
    await this.#work;
    this.#agent.destroy();
    return { ms: this.#ms, failures: this.#failures, retried: this.#retried };
  }

  async #requestLoop(agent: http.Agent | false, keyed: boolean): Promise<void> {
    for (let turn = 0; !this.#stopped || turn < PROBE_REQUESTS.length; turn += 1) {
      await this.#requestOnce(PROBE_REQUESTS[turn % PROBE_REQUESTS.length] as ProbeRequest, agent, keyed);
      await wait(PAUSE_MS);
    }
  }

  async #requestOnce(request: ProbeRequest, agent: http.Agent | false, keyed: boolean): Promise<void> {
    const name = nameOf(request, keyed);
    const started = performance.now();
    try {
      const nextKey = () => (keyed ? this.#nextKey() : null);
      const { status, body, tries } = await sendUntilDecided(this.#port, request, nextKey, agent);
      if (tries > 1) this.#retried += 1;
      if (status === 200 && this.#expectedBodies.get(name)?.equals(body)) this.#ms.push(performance.now() - started);
      else this.#failures.push(`${name}: ${status}, not as before`);
    } catch (error) {
      this.#failures.push(`${name}: ${(error as Error).message}`);
    }
  }

  #nextKey(): string {
    this.#sentCount += 1;
    return this.#keys[this.#sentCount % this.#keys.length] as string;
  }
}

const nameOf = ({ path }: ProbeRequest, keyed: boolean) => `${path}${keyed ? ' with a key' : ''}`;

type SendResult = { readonly status: number; readonly body: Buffer };

/** Sends a request, and again while it is answered 503. */
async function sendUntilDecided(
  port: number,
  request: ProbeRequest,
  nextKey: () => string | null,
  agent: http.Agent | false,
): Promise<SendResult & { readonly tries: number }> {
  for (let tries = 1; ; tries += 1) {
    const result = await send(port, request, nextKey(), agent);
    if (result.status !== 503 || tries === MAX_TRIES) return { ...result, tries };
    await wait(RETRY_DELAY_MS);
  }
}

async function send(
  port: number,
  { path, body }: ProbeRequest,
  key: string | null,
  agent: http.Agent | false,
): Promise<SendResult> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const headers = {
    'X-Forwarded-For': newAddress(),
    ...(key !== null && { 'X-Api-Key': key }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const method = body === undefined ? 'GET' : 'POST';
  const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent, signal }, resolve);
  request.on('error', reject).end(body);
  const response = await promise;
  return { status: response.statusCode ?? 0, body: await buffer(response) };
}
