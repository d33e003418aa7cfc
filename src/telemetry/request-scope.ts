/** The request that the code at hand works for: its id for the log, and its span. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type OpenSpan, startSpan } from './tracing.ts';

/** What a trusted proxy says of a request. */
export type GivenIds = { readonly id: string | null; readonly traceparent: string | null };

const current = new AsyncLocalStorage<RequestScope>();
const NONE_GIVEN: GivenIds = { id: null, traceparent: null };

/** What a line of the log says of the request that it was written for; nothing if for none. */
export function requestFields(): { readonly request_id?: string } {
  const scope = current.getStore();
  return scope === undefined ? {} : { request_id: scope.id };
}

/** The id by which a client may name the request that the caller works for; a new one if it works for none. */
export function quotableRequestId(): string {
  return current.getStore()?.ownId ?? randomUUID().slice(0, 8);
}

export class RequestScope {
  readonly #span: OpenSpan | null;
  readonly #givenId: string | null;
  #ownId: string | null = null;

  /** @param route the method and the path template. */
  constructor(method: string, route: string, given: GivenIds | null) {
    const { id, traceparent } = given ?? NONE_GIVEN;
    this.#givenId = id;
    const attributes = { 'http.request.method': method, 'http.route': route };
    this.#span = startSpan(`${method} ${route}`, { attributes, traceparent, isServer: true });
  }

  /** Whether it has a span, which must be ended. */
  get isTraced(): boolean {
    return this.#span !== null;
  }

  /** As the proxy named it, else its own. */
  get id(): string {
    return this.#givenId ?? this.ownId;
  }

  /** Eight random digits, made when they are first asked for. */
  get ownId(): string {
    this.#ownId ??= randomUUID().slice(0, 8);
    return this.#ownId;
  }

  /** Does work for the request. */
  run<T>(work: () => T): T {
    const span = this.#span;
    return span === null ? current.run(this, work) : current.run(this, () => span.run(work));
  }

  /** Ends its span. */
  end(status: number): void {
    this.#span?.end({ 'http.response.status_code': status }, status >= 500 ? `status ${status}` : undefined);
  }
}
