/** Counts requests by endpoint, path and status, how long they took, and why they were refused. */
import { durationCounts, type ValueCounts } from './value-counts.ts';

/** The request path that answered: see decision 16. `socket` = it was not a request of HTTP. */
export type RequestPath = 'fast' | 'router' | 'socket';

/** The status that stands for a client that went before it had an answer. */
export const CLIENT_GONE = 499;

/** The requests to one endpoint by one path. */
export class RequestSeries {
  readonly endpoint: string;
  readonly path: RequestPath;
  readonly byStatus = new Map<number, number>();
  /** `null` = its answers wait for something to happen, so that their time says nothing. */
  readonly seconds: ValueCounts | null;
  readonly #refusals: Map<string, number>;

  constructor(endpoint: string, path: RequestPath, isTimed: boolean, refusals: Map<string, number>) {
    this.endpoint = endpoint;
    this.path = path;
    this.seconds = isTimed ? durationCounts() : null;
    this.#refusals = refusals;
  }

  /** Counts an answer that took `ms`. */
  count(status: number, ms: number, refusal?: string): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    this.seconds?.add(ms / 1000);
    if (refusal !== undefined) this.#refusals.set(refusal, (this.#refusals.get(refusal) ?? 0) + 1);
  }
}

/** All requests of a service. */
export class RequestCounts {
  readonly #series = new Map<string, RequestSeries>();
  /** By kind of refusal. */
  readonly refusals: Map<string, number>;

  /** @param kinds the kinds of refusal, which are counted from 0 on. */
  constructor(kinds: readonly string[]) {
    this.refusals = new Map(kinds.map((kind) => [kind, 0]));
  }

  /** All series that were asked for. */
  get all(): Iterable<RequestSeries> {
    return this.#series.values();
  }

  /** The series of an endpoint and path: the same one every time. */
  series(endpoint: string, path: RequestPath, { isTimed } = { isTimed: true }): RequestSeries {
    const name = `${path} ${endpoint}`;
    const known = this.#series.get(name) ?? new RequestSeries(endpoint, path, isTimed, this.refusals);
    this.#series.set(name, known);
    return known;
  }
}
