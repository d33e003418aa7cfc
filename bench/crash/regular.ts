/** A client like any other, which notes how it is served while others misbehave. */
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const PATHS = [
  '/api/v1/preturi',
  '/api/v1/preturi/minime',
  '/api/v1/statii?lat=44.4325&lon=26.1039&raza=5',
  '/api/v1/statii?brand=petrom&tip=gpl',
  '/api/v1/judete/CJ',
  '/api/v1/geocode?q=iasi',
  '/api/v1/health',
  '/docs',
];
/** Between two requests. */
const PAUSE_MS = 5;
/** A request that is not answered for so long was not served, ms. */
const PATIENCE_MS = 10_000;

export class Regular {
  readonly #port: number;
  readonly #known: ReadonlyMap<string, Buffer>;
  readonly #agent = new http.Agent({ keepAlive: true });
  #stopped = false;
  #work: Promise<unknown> = Promise.resolve();
  #ms: number[] = [];
  #wrong: string[] = [];

  private constructor(port: number, known: ReadonlyMap<string, Buffer>) {
    this.#port = port;
    this.#known = known;
  }

  /** Notes what right answers are, while all is quiet. */
  static async of(port: number): Promise<Regular> {
    const known = new Map<string, Buffer>();
    for (const path of PATHS) known.set(path, (await ask(port, path, false)).body);
    return new Regular(port, known);
  }

  /** Begins to ask: on a kept connection, and on a new one for each request. */
  start(): void {
    this.#stopped = false;
    this.#ms = [];
    this.#wrong = [];
    this.#work = Promise.all([this.#askOn(this.#agent), this.#askOn(false)]);
  }

  /** Ends, and tells how long each right answer took, ms, and what was wrong. */
  async stop(): Promise<{ readonly ms: readonly number[]; readonly wrong: readonly string[] }> {
    this.#stopped = true;
    await this.#work;
    this.#agent.destroy();
    return { ms: this.#ms, wrong: this.#wrong };
  }

  async #askOn(agent: http.Agent | false): Promise<void> {
    for (let turn = 0; !this.#stopped || turn < PATHS.length; turn += 1) {
      const path = PATHS[turn % PATHS.length] as string;
      const started = performance.now();
      try {
        const { status, body } = await ask(this.#port, path, agent);
        if (status !== 200 || !this.#known.get(path)?.equals(body))
          this.#wrong.push(`${path}: ${status}, not as before`);
        else this.#ms.push(performance.now() - started);
      } catch (error) {
        this.#wrong.push(`${path}: ${(error as Error).message}`);
      }
      await wait(PAUSE_MS);
    }
  }
}

async function ask(port: number, path: string, agent: http.Agent | false): Promise<{ status: number; body: Buffer }> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  http.get({ host: '127.0.0.1', port, path, agent, signal }, resolve).on('error', reject);
  const response = await promise;
  return { status: response.statusCode ?? 0, body: await buffer(response) };
}
