/** Clients of two servers that are killed: key holders within their rate limit, and visitors without a key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { newAddress } from '../../support/builders/client-addresses.ts';

const PATH = '/api/v1/retele';
/** A key may send 120 requests a minute. */
const REQUEST_INTERVAL_MS = 520;
const JITTER_MS = 200;
const VISIT_INTERVAL_MS = 60;
/** About one visit in this many is by an earlier visitor. */
const RETURNING_EVERY = 3;
const TIMEOUT_MS = 10_000;
/** A server that has waited this long for the database decides the caps of visitors alone for `DEGRADED_MS`. */
const SLOW_MS = 700;
const DEGRADED_MS = 1_500;

/** The holder of a key, and the answers it received. */
export type KeyHolder = {
  readonly key: string;
  readonly quota: number;
  /** Answers with status 200. */
  accepted: number;
  /** Requests whose connection broke: the server may have counted them. */
  lost: number;
  /** 503 answers: the server gave up waiting for the database, which may still have counted the request. */
  unavailable: number;
  /** How much of the quota was used, by the headers of each 200 answer. */
  readonly used: Set<number>;
};

export type StatusCounts = Map<number, number>;

/** What a holder of a key was answered, and when, by `performance.now()`; `lost` = the connection broke. */
export type KeyAnswer = { readonly server: string; readonly status: number | 'lost'; readonly answeredAt: number };

export type ClientsOptions = {
  readonly seed: number;
  readonly holders: readonly KeyHolder[];
  readonly servers: readonly { readonly address: string }[];
  readonly onViolation: (sentence: string) => void;
  /** Receives every answer to a request with a key that reached a server. */
  readonly onKeyAnswer?: (answer: KeyAnswer) => void;
  /** Whether visitors without a key ask as well; by default they do. */
  readonly visitors?: boolean;
};

/** Sends requests from `start` until `stop`. */
export class Clients {
  readonly holders: readonly KeyHolder[];
  /** How many answers of each status key holders and visitors received. */
  readonly statuses: { readonly holders: StatusCounts; readonly visitors: StatusCounts } = {
    holders: new Map(),
    visitors: new Map(),
  };
  /** Address of each visitor → how many 200 answers it received. */
  readonly visitors = new Map<string, number>();
  readonly #options: ClientsOptions;
  #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #drawn = 0;
  #slowAt = Number.NEGATIVE_INFINITY;
  #repeatedWhileDegraded = 0;

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.holders = options.holders;
  }

  /** Visitors answered twice while a server on a slow machine decided alone: the contract allows that. */
  get repeatedWhileDegraded(): number {
    return this.#repeatedWhileDegraded;
  }

  start(): void {
    this.#stop = new AbortController();
    const { visitors = true } = this.#options;
    const holders = this.holders.map((holder) => this.#runKeyHolder(holder));
    this.#running = Promise.all([...holders, ...(visitors ? [this.#runVisitors()] : [])]);
  }

  /** Stops, and waits until every request under way was answered or lost. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #random(): number {
    this.#drawn += 1;
    return randomFraction(this.#options.seed, 'client', this.#drawn);
  }

  #pause(ms: number): Promise<unknown> {
    return sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  #anyServer(): { readonly address: string } {
    const { servers } = this.#options;
    return servers[Math.floor(servers.length * this.#random())] as { readonly address: string };
  }

  async #runKeyHolder(holder: KeyHolder): Promise<void> {
    await this.#pause(REQUEST_INTERVAL_MS * this.#random());
    while (!this.#stop.signal.aborted) {
      const server = this.#anyServer();
      const reply = await this.#ask({ 'X-Api-Key': holder.key }, server);
      if (reply === 'lost') holder.lost += 1;
      if (reply instanceof Response) this.#recordKeyAnswer(holder, reply);
      const status = reply instanceof Response ? reply.status : reply;
      if (status !== 'unsent')
        this.#options.onKeyAnswer?.({ server: server.address, status, answeredAt: performance.now() });
      await this.#pause(REQUEST_INTERVAL_MS + JITTER_MS * this.#random());
    }
  }

  #recordKeyAnswer(holder: KeyHolder, { status, headers }: Response): void {
    countStatus(this.statuses.holders, status);
    if (![200, 429, 503].includes(status))
      this.#options.onViolation(`a key within its rate limit was answered ${status}`);
    if (status === 503) holder.unavailable += 1;
    if (status !== 200) return;
    holder.accepted += 1;
    const used = holder.quota - Number(headers.get('x-ratelimit-remaining'));
    if (holder.used.has(used)) this.#options.onViolation(`two answers report ${used} requests used of one quota`);
    holder.used.add(used);
  }

  /** Each address sends a request to both servers at once, and some addresses return later. */
  async #runVisitors(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const earlier = [...this.visitors.keys()];
      const again = earlier.length > 0 && this.#random() < 1 / RETURNING_EVERY;
      const address = again ? (earlier[Math.floor(earlier.length * this.#random())] as string) : newAddress();
      await Promise.all(this.#options.servers.map((server) => this.#visit(address, server)));
      await this.#pause(VISIT_INTERVAL_MS);
    }
  }

  async #visit(address: string, server: { readonly address: string }): Promise<void> {
    const reply = await this.#ask({ 'X-Forwarded-For': address }, server);
    const before = this.visitors.get(address) ?? 0;
    const accepted = reply instanceof Response && reply.status === 200;
    this.visitors.set(address, before + (accepted ? 1 : 0));
    if (reply instanceof Response) countStatus(this.statuses.visitors, reply.status);
    if (!accepted || before === 0) return;
    if (performance.now() < this.#slowAt + DEGRADED_MS) this.#repeatedWhileDegraded += 1;
    else this.#options.onViolation(`${address} was answered 200 twice in a week`);
  }

  /** Returns the answer; `lost` = the connection broke; `unsent` = the connection was refused. */
  async #ask(
    headers: Record<string, string>,
    { address }: { readonly address: string },
  ): Promise<Response | 'lost' | 'unsent'> {
    const begun = performance.now();
    try {
      const reply = await fetch(`${address}${PATH}`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      await reply.arrayBuffer();
      if (performance.now() - begun > SLOW_MS) this.#slowAt = performance.now();
      return reply;
    } catch (error) {
      const { name, cause } = error as Error & { cause?: { code?: string } };
      if (name === 'TimeoutError') this.#options.onViolation(`no answer within ${TIMEOUT_MS} ms`);
      return cause?.code === 'ECONNREFUSED' ? 'unsent' : 'lost';
    }
  }
}

function countStatus(counts: StatusCounts, status: number): void {
  counts.set(status, (counts.get(status) ?? 0) + 1);
}
