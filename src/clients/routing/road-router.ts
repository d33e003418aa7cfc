/** Queries the operator's routing engine: bounded in time and size, with a plausibility check of the answer. */

import type { Point } from '../../domain/point.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { createDownloader } from '../http/download.ts';
import { NoResponse } from '../http/response.ts';
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
 * The engine brought no way. `down` = it did not speak as an engine does (silence, an error of its server, a page
 * instead of JSON), so the next question would most likely end the same; else this one answer is of no use. `failed`
 * says why, in a clause.
 */
type EngineFailure = { readonly failed: string; readonly isDown: boolean };

export type RoadRouter = {
  /** For messages: the kind of engine and its host. */
  readonly name: string;
  readonly kind: RoutingEngine['kind'];
  /** Requests the route; `impossible` = the engine says that there is none. Rejects only on a bug. */
  way(from: Point, to: Point): Promise<EngineRoute | 'impossible' | EngineFailure>;
  /** Aborts requests in flight and closes the connections. */
  close(): Promise<void>;
};

const ENGINES: Readonly<Record<RoutingEngine['kind'], RoutingEngine>> = { osrm: OSRM, valhalla: VALHALLA };
const DEADLINE_MS = 3_000;
/** A route across Romania is 0.1 to 0.5 MB; parsing this much JSON blocks the event loop for about 30 ms. */
const MOST_BYTES = 3_000_000;
const MOST_AT_ONCE = 8;
/** A kept-alive connection may break just when a request is sent: such a request is retried once, immediately. */
const RETRY_ONCE = { retries: 1, backoffMs: 20, maxRetryAfterMs: 0 };

export function createRoadRouter({ url, kind, userAgent, deadlineMs = DEADLINE_MS }: RoadRouterOptions): RoadRouter {
  const engine = ENGINES[kind];
  const downloader = createDownloader({
    ...RETRY_ONCE,
    userAgent,
    timeoutMs: deadlineMs,
    maxBytes: MOST_BYTES,
    pauseMs: 0,
    parallel: MOST_AT_ONCE,
    // The operator names the engine, and it is most often on this machine or beside it.
    allowPrivate: true,
  });
  const way: RoadRouter['way'] = async (from, to) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const { target, json } = engine.request(from, to);
    try {
      const { status, body } = await downloader.download(url + target, { accept: 'application/json', json, signal });
      if (status >= 500) return { failed: `it answered ${status}`, isDown: true };
      const answer = tryParseJson(body.toString());
      if (typeof answer !== 'object' || answer === null) return { failed: 'its answer is not JSON', isDown: true };
      const read = engine.read(answer, from, to);
      return typeof read === 'object' && 'useless' in read ? { failed: read.useless, isDown: false } : read;
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      return {
        failed: signal.aborted ? `no complete answer within ${deadlineMs / 1000} s` : error.message,
        isDown: true,
      };
    }
  };
  return { name: `${kind} at ${new URL(url).host}`, kind, way, close: () => downloader.close() };
}
