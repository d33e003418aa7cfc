/** Queries the operator's routing engine: bounded in time and size, with a plausibility check of the answer. */

import type { Point } from '../../domain/point.ts';
import type { JsonLimits } from '../../json/json-limits.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { createJsonClient } from '../http/json-client.ts';
import { OSRM } from './osrm.ts';
import type { EngineRoute, RoutingEngine } from './routing-engine.ts';
import { VALHALLA } from './valhalla.ts';

export type RoadRouterOptions = {
  /** Origin of its HTTP server. */
  readonly url: string;
  readonly kind: RoutingEngine['kind'];
  readonly userAgent: string;
  /** For the whole answer, including the wait for a connection; 3 s, so that our response takes at most 5. */
  readonly deadlineMs?: number | undefined;
};

/**
 * The engine returned no route. `isDown` = it did not answer like an engine (silence, a server error, a page instead of
 * JSON), so the next request would most likely fail too; otherwise only this answer is invalid. `failed` says why, in a
 * clause.
 */
type EngineFailure = { readonly failed: string; readonly isDown: boolean };

export type RoadRouter = {
  /** For messages: the kind of engine and its host. */
  readonly name: string;
  readonly kind: RoutingEngine['kind'];
  /** Requests the route; `no_route` = the engine says that there is none. Rejects only on a bug. */
  findRoute(from: Point, to: Point): Promise<EngineRoute | 'no_route' | EngineFailure>;
  /** Aborts requests in flight and closes the connections. */
  close(): Promise<void>;
};

const ENGINES: Readonly<Record<RoutingEngine['kind'], RoutingEngine>> = { osrm: OSRM, valhalla: VALHALLA };
const ROUTE_DEADLINE_MS = 3_000;
/** A route across Romania is 0.1 to 0.5 MB; parsing this much JSON blocks the event loop for about 30 ms. */
const MAX_ANSWER_BYTES = 3_000_000;
/** A line of 100,000 points may come as pairs of numbers. */
const JSON_LIMITS: JsonLimits = { depth: 30, tokens: 450_000, members: 20_000 };
/** Requests at once, besides a trial request to an engine that was down. */
export const MAX_ENGINE_REQUESTS = 8;
/** A kept-alive connection may break just when a request is sent: such a request is retried once, immediately. */
const RETRY_ONCE = { retries: 1, backoffMs: 20, maxRetryAfterMs: 0 };

export function createRoadRouter({
  url,
  kind,
  userAgent,
  deadlineMs = ROUTE_DEADLINE_MS,
}: RoadRouterOptions): RoadRouter {
  const engine = ENGINES[kind];
  const client = createJsonClient({
    ...RETRY_ONCE,
    userAgent,
    timeoutMs: deadlineMs,
    maxBytes: MAX_ANSWER_BYTES,
    parallel: MAX_ENGINE_REQUESTS + 1,
    // The operator names the engine, which usually runs on this machine or in the same network.
    allowPrivate: true,
  });
  const findRoute: RoadRouter['findRoute'] = async (from, to) => {
    const { target, json } = engine.request(from, to);
    const response = await client.request(url + target, { json, withinMs: deadlineMs });
    if ('failed' in response) return { failed: response.failed, isDown: true };
    const { status, body } = response;
    if (status >= 500) return { failed: `it answered ${status}`, isDown: true };
    const answer = tryParseJson(body.toString(), JSON_LIMITS);
    if (typeof answer !== 'object' || answer === null) return { failed: 'its answer is not JSON', isDown: true };
    const read = engine.read(answer, from, to);
    return typeof read === 'object' && 'invalid' in read ? { failed: read.invalid, isDown: false } : read;
  };
  return { name: `${kind} at ${new URL(url).host}`, kind, findRoute, close: () => client.close() };
}
