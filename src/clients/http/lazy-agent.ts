/**
 * Requests to other services, over connections of their own. The HTTP client is loaded for the first request: it takes
 * 12 MB of memory, which a process that asks nobody saves.
 */
import type { Agent, Dispatcher } from 'undici';

type Request = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

export class LazyAgent {
  readonly #options: Agent.Options;
  #agent: Promise<Agent> | undefined;
  #isDestroyed = false;

  constructor(options: Agent.Options) {
    this.#options = options;
  }

  /** Sends a request; rejects with an error of undici or of the network, or once destroyed. */
  async request({ origin, pathname, search }: URL, request: Request): Promise<Dispatcher.ResponseData> {
    if (this.#isDestroyed) throw new Error('the connections were closed');
    this.#agent ??= createAgent(this.#options);
    return (await this.#agent).request({ ...request, origin, path: `${pathname}${search}` });
  }

  /** Aborts requests in flight and closes the connections. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await (await this.#agent)?.destroy();
  }
}

async function createAgent(options: Agent.Options): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent(options);
}
