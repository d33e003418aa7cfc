/** Requests to other services. */
import type { Agent, Dispatcher } from 'undici';

type AgentRequest = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/**
 * A pool of connections of its own. It loads the HTTP client, undici, for the first request: that takes 12 MB of
 * memory, which a process saves that sends none.
 */
export class LazyAgent {
  readonly #options: Agent.Options;
  #agent: Promise<Agent> | undefined;
  #isDestroyed = false;

  constructor(options: Agent.Options) {
    this.#options = options;
  }

  /** Sends a request; rejects with an error of undici or of the network, and once the agent is destroyed. */
  async request({ origin, pathname, search }: URL, request: AgentRequest): Promise<Dispatcher.ResponseData> {
    if (this.#isDestroyed) throw new Error('the connections were closed');
    this.#agent ??= createAgent(this.#options).catch((error: unknown) => {
      // The next request tries again.
      this.#agent = undefined;
      throw error;
    });
    return (await this.#agent).request({ ...request, origin, path: `${pathname}${search}` });
  }

  /** Aborts requests in flight and closes the connections. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await this.#agent?.then(
      (agent) => agent.destroy(),
      // It could not be loaded, which its requests were told.
      () => undefined,
    );
  }
}

async function createAgent(options: Agent.Options): Promise<Agent> {
  const undici = await import('undici');
  return new undici.Agent(options);
}
