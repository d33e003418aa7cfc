/** A client like any other, which notes how it is served while others misbehave. */
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { newAddress } from '../../support/client-addresses.ts';

type Question = { readonly path: string; readonly body?: string };

const QUESTIONS: readonly Question[] = [
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
/** Between two requests. */
const PAUSE_MS = 5;
/** A request that is not answered for so long was not served, ms. */
const PATIENCE_MS = 10_000;
/** What the database was too slow for is asked again so often, after so long: the service spares it for 250 ms. */
const TRIES = 3;
const AGAIN_AFTER_MS = 300;

type Served = {
  /** How long each right answer took, ms. */
  readonly ms: readonly number[];
  readonly wrong: readonly string[];
  /** Requests that were answered 503 until they were sent again. */
  readonly again: number;
};

export class Regular {
  readonly #port: number;
  readonly #keys: readonly string[];
  readonly #known: ReadonlyMap<string, Buffer>;
  readonly #agent = new http.Agent({ keepAlive: true });
  #asked = 0;
  #stopped = false;
  #work: Promise<unknown> = Promise.resolve();
  #ms: number[] = [];
  #wrong: string[] = [];
  #again = 0;

  private constructor(port: number, keys: readonly string[], known: ReadonlyMap<string, Buffer>) {
    this.#port = port;
    this.#keys = keys;
    this.#known = known;
  }

  /** Notes what right answers are, while all is quiet, without a key and with one of its own. */
  static async of(port: number, keys: readonly string[]): Promise<Regular> {
    const known = new Map<string, Buffer>();
    for (const question of QUESTIONS) {
      for (const [at, key] of [null, keys[0] as string].entries()) {
        const { status, body } = await ask(port, question, key, false);
        if (status !== 200) throw new Error(`${question.path} is answered ${status} while all is quiet`);
        known.set(nameOf(question, at === 1), body);
      }
      // Below the pace of the one key.
      await wait(300);
    }
    return new Regular(port, keys, known);
  }

  /** Begins to ask: on a kept connection, on a new one for each request, and on a kept one with its keys in turn. */
  start(): void {
    this.#stopped = false;
    this.#ms = [];
    this.#wrong = [];
    this.#again = 0;
    this.#work = Promise.all([
      this.#askOn(this.#agent, false),
      this.#askOn(false, false),
      this.#askOn(this.#agent, true),
    ]);
  }

  /** Ends, and tells how it was served. */
  async stop(): Promise<Served> {
    this.#stopped = true;
    await this.#work;
    this.#agent.destroy();
    return { ms: this.#ms, wrong: this.#wrong, again: this.#again };
  }

  async #askOn(agent: http.Agent | false, keyed: boolean): Promise<void> {
    for (let turn = 0; !this.#stopped || turn < QUESTIONS.length; turn += 1) {
      await this.#askOnce(QUESTIONS[turn % QUESTIONS.length] as Question, agent, keyed);
      await wait(PAUSE_MS);
    }
  }

  async #askOnce(question: Question, agent: http.Agent | false, keyed: boolean): Promise<void> {
    const name = nameOf(question, keyed);
    const started = performance.now();
    try {
      for (let tries = 1; ; tries += 1) {
        this.#asked += 1;
        const key = keyed ? (this.#keys[this.#asked % this.#keys.length] as string) : null;
        const { status, body } = await ask(this.#port, question, key, agent);
        if (status === 503 && tries < TRIES) {
          await wait(AGAIN_AFTER_MS);
          continue;
        }
        if (tries > 1) this.#again += 1;
        if (status === 200 && this.#known.get(name)?.equals(body)) this.#ms.push(performance.now() - started);
        else this.#wrong.push(`${name}: ${status}, not as before`);
        return;
      }
    } catch (error) {
      this.#wrong.push(`${name}: ${(error as Error).message}`);
    }
  }
}

const nameOf = ({ path }: Question, keyed: boolean) => `${path}${keyed ? ' with a key' : ''}`;

async function ask(
  port: number,
  { path, body }: Question,
  key: string | null,
  agent: http.Agent | false,
): Promise<{ status: number; body: Buffer }> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
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
