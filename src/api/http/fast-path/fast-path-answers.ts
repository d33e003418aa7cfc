/**
 * Answers of the fast path: prerendered addresses, reads whose path equals an endpoint's, byte for byte, and pages that
 * the site has cached.
 */

import type { RequestCounts } from '../../../telemetry/request-counts.ts';
import { type GivenIds, RequestScope } from '../../../telemetry/request-scope.ts';
import { isTracing } from '../../../telemetry/tracing.ts';
import type { AccessControl } from '../../access/access-rules.ts';
import type { SiteLimit } from '../../access/site-limit.ts';
import { endpointSeries, ROUTE_GROUPS } from '../../counting/endpoint-series.ts';
import type { Endpoint } from '../../declaration/endpoint.ts';
import type { FindEndpoint } from '../../declaration/endpoint-finder.ts';
import type { Caller } from '../../request/caller.ts';
import { splitTarget } from '../../request/request-target.ts';
import type { Answer } from '../../response/answer.ts';
import type { FailureAnswer } from '../../response/failure.ts';
import { pageAnswer, type SitePageLookup, tooManyPagesAnswer } from '../../response/site-pages.ts';
import type { RequestTurns } from '../connection/request-turns.ts';
import type { FastPathOptions } from './fast-connection.ts';
import type { ServedSnapshot } from './prerendered-responses.ts';
import { type CachedResponse, rawResponseOf } from './response-writer.ts';

export type FastPathDependencies = {
  readonly findEndpoint: FindEndpoint;
  readonly served: () => ServedSnapshot;
  readonly failureAnswer: FailureAnswer;
  readonly accessControl: AccessControl;
  readonly site: SitePageLookup;
  readonly siteLimit: SiteLimit;
  readonly turns: RequestTurns;
  readonly counts: RequestCounts;
  readonly endpoints: readonly Endpoint[];
  readonly givenIdsOf: (caller: Caller) => GivenIds | null;
};

/** Answers each request from the snapshot that is served at that moment. */
export function createFastPathAnswer(dependencies: FastPathDependencies): FastPathOptions['answer'] {
  const { findEndpoint, served, failureAnswer, accessControl, turns, counts, givenIdsOf } = dependencies;
  const seriesByPath = new Map(
    dependencies.endpoints
      .filter(({ method = 'GET' }) => method === 'GET')
      .map((each) => [each.path, endpointSeries(counts, each, 'fast')]),
  );
  const pageSeries = counts.series(ROUTE_GROUPS.page, 'fast');
  const seriesOf = (path: string) => seriesByPath.get(path) ?? pageSeries;
  const cachedPageWork = createCachedPageWork(dependencies);
  return (request, peer) => {
    const { prerendered, rendered } = served();
    const prerenderedResponse = prerendered.responseFor(request);
    const { headers, target } = request;
    if (prerenderedResponse !== null) {
      tracePrerendered(target, prerenderedResponse);
      return { series: seriesOf(target), response: prerenderedResponse };
    }
    const { path, query } = splitTarget(target);
    const match = findEndpoint(path);
    const caller = { headers, peer };
    const work =
      match === undefined
        ? cachedPageWork(target, path, caller)
        : () => match.endpoint.answer({ ...caller, query, segments: match.segments }, rendered, accessControl);
    if (work === null) return null;
    const turn = turns.enter(caller, 'fast');
    const scope = new RequestScope('GET', match?.endpoint.path ?? PAGES, givenIdsOf(caller));
    const acceptEncoding = headers['accept-encoding'] as string | undefined;
    // In one step after the turn: a promise that has waited is old, and would keep the text of an answer in memory.
    const respond = () => {
      const answer = withFailures(work, (error) => failureAnswer({ method: 'GET', url: target }, error));
      endWith(scope, answer);
      return answer instanceof Promise
        ? answer.then((settled) => rawResponseOf(settled, acceptEncoding))
        : rawResponseOf(answer, acceptEncoding);
    };
    const response = scope.run(() => (turn === null ? respond() : turn.then(respond)));
    return { series: match === undefined ? pageSeries : seriesOf(match.endpoint.path), response };
  };
}

/** Finds what sends a page that the site has cached; `null` = it has none at this address. */
function createCachedPageWork({ site, siteLimit }: FastPathDependencies) {
  return (target: string, path: string, caller: Caller): (() => Answer) | null => {
    const page = site.cached?.(target);
    if (page === undefined) return null;
    return () => {
      const waitMs = siteLimit.waitMsOf(caller, path);
      return waitMs > 0 ? tooManyPagesAnswer(site, path, waitMs) : pageAnswer(page, caller.headers['if-none-match']);
    };
  };
}

/** The route of pages. */
const PAGES = '/*';

function tracePrerendered(route: string, { raw }: CachedResponse): void {
  if (isTracing()) new RequestScope('GET', route, null).end(raw.status);
}

function endWith(scope: RequestScope, answer: Answer | Promise<Answer>): void {
  if (!scope.isTraced) return;
  if (answer instanceof Promise) void answer.then(({ status }) => scope.end(status));
  else scope.end(answer.status);
}

/** Does the work; an exception or a rejection becomes an answer. */
function withFailures(
  work: () => Answer | Promise<Answer>,
  failed: (error: unknown) => Answer,
): Answer | Promise<Answer> {
  try {
    const answer = work();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}
