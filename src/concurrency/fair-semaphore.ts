/**
 * A semaphore that no client can occupy alone: each client and each network holds a limited part of its slots; waiting
 * networks are served in turn, and so are the clients of each, whichever began to wait first.
 */

export type FairSemaphoreOptions = {
  /** Slots held at once by all clients together. */
  readonly slots: number;
  /** Slots held at once by one client. */
  readonly slotsPerClient: number;
  /** Slots held at once by all clients of one network. */
  readonly slotsPerNetwork: number;
  /** Requests of all clients together that wait. When all wait, the network with most of them loses its newest. */
  readonly maxWaiting: number;
  /** Requests of one client that wait. */
  readonly maxWaitingPerClient: number;
};

/** Who asks: such as `192.0.2.1` of the network `192.0.2.0/24`. */
export type SemaphoreClient = { readonly client: string; readonly network: string };

/** Gives the slot back; further calls do nothing. */
export type ReleaseSlot = () => void;

type Waiter = SemaphoreClient & { readonly grant: (release: ReleaseSlot | null) => void };

export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  readonly #heldByClient = new Map<string, number>();
  readonly #heldByNetwork = new Map<string, number>();
  /** By network and client, both in the order in which they are served next. */
  readonly #waiting = new Map<string, Map<string, Waiter[]>>();
  #heldCount = 0;
  #waitingCount = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
  }

  /** Requests that wait for a slot. */
  get waiting(): number {
    return this.#waitingCount;
  }

  /**
   * Resolves with the release of a slot once there is one, and with `null` if the client has too many requests waiting
   * already, if its request gives way to others, or if the signal is aborted first.
   */
  acquire(who: SemaphoreClient, signal?: AbortSignal): Promise<ReleaseSlot | null> {
    if (signal?.aborted) return Promise.resolve(null);
    if (this.#mayHold(who)) return Promise.resolve(this.#hold(who));
    if (this.#waitingOf(who) >= this.#options.maxWaitingPerClient) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<ReleaseSlot | null>();
    const giveUp = () => this.#leave(waiter);
    const waiter: Waiter = {
      ...who,
      grant: (release) => {
        signal?.removeEventListener('abort', giveUp);
        resolve(release);
      },
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.#enqueue(waiter);
    return promise;
  }

  #mayHold({ client, network }: SemaphoreClient): boolean {
    const { slots, slotsPerClient } = this.#options;
    return this.#heldCount < slots && this.#hasRoom(network) && (this.#heldByClient.get(client) ?? 0) < slotsPerClient;
  }

  #hasRoom(network: string): boolean {
    return (this.#heldByNetwork.get(network) ?? 0) < this.#options.slotsPerNetwork;
  }

  #hold({ client, network }: SemaphoreClient): ReleaseSlot {
    const count = (by: number) => {
      this.#heldCount += by;
      for (const [held, key] of [
        [this.#heldByClient, client],
        [this.#heldByNetwork, network],
      ] as const) {
        const sum = (held.get(key) ?? 0) + by;
        if (sum > 0) held.set(key, sum);
        else held.delete(key);
      }
    };
    count(1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      count(-1);
      this.#serve();
    };
  }

  /** Gives free slots to waiting requests, one network after another. */
  #serve(): void {
    for (const [network, clients] of this.#waiting) {
      if (this.#heldCount >= this.#options.slots) return;
      // Its clients may be many.
      const next = this.#hasRoom(network) ? this.#firstServable(clients) : undefined;
      if (next === undefined) continue;
      this.#remove(next);
      // The client and the network go to the end of their orders.
      const others = clients.get(next.client);
      if (others !== undefined) {
        clients.delete(next.client);
        clients.set(next.client, others);
      }
      if (clients.size > 0) {
        this.#waiting.delete(network);
        this.#waiting.set(network, clients);
      }
      next.grant(this.#hold(next));
    }
  }

  #firstServable(clients: ReadonlyMap<string, readonly Waiter[]>): Waiter | undefined {
    for (const [first] of clients.values()) if (first !== undefined && this.#mayHold(first)) return first;
    return undefined;
  }

  #enqueue(waiter: Waiter): void {
    const clients = this.#waiting.get(waiter.network) ?? new Map<string, Waiter[]>();
    this.#waiting.set(waiter.network, clients);
    const queue = clients.get(waiter.client);
    if (queue === undefined) clients.set(waiter.client, [waiter]);
    else queue.push(waiter);
    this.#waitingCount += 1;
    if (this.#waitingCount > this.#options.maxWaiting) this.#leave(this.#newestOfLargest());
  }

  /** The newest request of the client with most of them in the network with most of them. */
  #newestOfLargest(): Waiter {
    const waitingIn = (clients: ReadonlyMap<string, readonly Waiter[]>) =>
      clients.values().reduce((sum, { length }) => sum + length, 0);
    const largest = largestBy(this.#waiting.values(), waitingIn);
    return largestBy(largest.values(), ({ length }) => length).at(-1) as Waiter;
  }

  #leave(waiter: Waiter): void {
    this.#remove(waiter);
    waiter.grant(null);
  }

  #remove(waiter: Waiter): void {
    const clients = this.#waiting.get(waiter.network) as Map<string, Waiter[]>;
    const queue = clients.get(waiter.client) as Waiter[];
    queue.splice(queue.indexOf(waiter), 1);
    this.#waitingCount -= 1;
    if (queue.length === 0) clients.delete(waiter.client);
    if (clients.size === 0) this.#waiting.delete(waiter.network);
  }

  #waitingOf({ client, network }: SemaphoreClient): number {
    return this.#waiting.get(network)?.get(client)?.length ?? 0;
  }
}

/** The last of those with the greatest size; there is at least one. */
function largestBy<T>(all: Iterable<T>, sizeOf: (one: T) => number): T {
  let largest: T | undefined;
  let largestSize = -1;
  for (const one of all) {
    const size = sizeOf(one);
    if (size < largestSize) continue;
    largest = one;
    largestSize = size;
  }
  return largest as T;
}
