/**
 * Shares the turns of the event loop: a client or a network that asks for more at once than its part of a turn waits
 * for the next ones, so that what others ask is reached in between.
 */

type Waiting = { readonly cost: number; readonly goOn: () => void };

export type FairTurnsOptions = {
  /** The cost of what is done for one client in one turn. */
  readonly perClient: number;
  /** The cost of what is done for all clients of one network in one turn. */
  readonly perNetwork: number;
};

export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** What each client and each network was granted in this turn. */
  readonly #clientGranted = new Map<string, number>();
  readonly #networkGranted = new Map<string, number>();
  /** By network and client, the clients of a network in the order in which they are served next. */
  readonly #waiting = new Map<string, Map<string, Waiting[]>>();
  #isTurnScheduled = false;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  /** `null` = at once; else resolves in the turn in which the client may go on. `cost` is at most that of a turn. */
  enter(
    { client, network }: { readonly client: string; readonly network: string },
    cost: number,
  ): Promise<void> | null {
    this.#scheduleTurn();
    const byClient = (this.#clientGranted.get(client) ?? 0) + cost;
    const byNetwork = (this.#networkGranted.get(network) ?? 0) + cost;
    const { perClient, perNetwork } = this.#options;
    if (byClient <= perClient && byNetwork <= perNetwork && !this.#waiting.get(network)?.has(client)) {
      this.#clientGranted.set(client, byClient);
      this.#networkGranted.set(network, byNetwork);
      return null;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const clients = this.#waiting.get(network) ?? new Map<string, Waiting[]>();
    this.#waiting.set(network, clients);
    const queue = clients.get(client);
    if (queue === undefined) clients.set(client, [{ cost, goOn: resolve }]);
    else queue.push({ cost, goOn: resolve });
    return promise;
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    setImmediate(() => {
      this.#isTurnScheduled = false;
      this.#beginTurn();
    });
  }

  #beginTurn(): void {
    this.#clientGranted.clear();
    this.#networkGranted.clear();
    for (const [network, clients] of this.#waiting) {
      this.#networkGranted.set(network, this.#serveNetwork(clients));
      if (clients.size === 0) this.#waiting.delete(network);
    }
    if (this.#networkGranted.size > 0) this.#scheduleTurn();
  }

  /** Serves each client once, as far as the part of the network goes; returns the cost of what it granted. */
  #serveNetwork(clients: Map<string, Waiting[]>): number {
    const { perClient, perNetwork } = this.#options;
    let granted = 0;
    let left = clients.size;
    for (const [client, queue] of clients) {
      const cost = this.#serveClient(queue, Math.min(perClient, perNetwork - granted));
      if (cost === 0) break;
      granted += cost;
      this.#clientGranted.set(client, cost);
      // Those that wait longer come first in the next turn.
      clients.delete(client);
      if (queue.length > 0) clients.set(client, queue);
      left -= 1;
      if (left === 0) break;
    }
    return granted;
  }

  /** Lets the first requests go on whose cost is within the share; returns their cost. */
  #serveClient(queue: Waiting[], share: number): number {
    let granted = 0;
    let count = 0;
    for (const { cost } of queue) {
      if (granted + cost > share) break;
      granted += cost;
      count += 1;
    }
    for (const { goOn } of queue.splice(0, count)) goOn();
    return granted;
  }
}
