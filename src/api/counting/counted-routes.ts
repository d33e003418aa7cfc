/** Counts the requests that Fastify answers. */
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { CLIENT_GONE, type RequestCounts, type RequestSeries } from '../../telemetry/request-counts.ts';
import { type GivenIds, RequestScope } from '../../telemetry/request-scope.ts';
import type { Caller } from '../request/caller.ts';
import type { RefusalKind } from '../response/refusal-kinds.ts';
import { ROUTE_GROUPS } from './endpoint-series.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where the requests of a route are counted. */
    series?: RequestSeries;
  }
  interface FastifyRequest {
    /** What of the code works for this request. */
    scope: RequestScope | undefined;
  }
  interface FastifyReply {
    /** Why a limit refused the request. */
    refusal: RefusalKind | undefined;
  }
}

/** Counts every request when its response has ended, by the series of its route. */
export function countRequests(
  app: FastifyInstance,
  counts: RequestCounts,
  givenIdsOf: (caller: Caller) => GivenIds | null,
): void {
  const unrouted = counts.series(ROUTE_GROUPS.unrouted, 'router');
  app.decorateReply('refusal', undefined);
  app.decorateRequest('scope', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    countResponse(reply, routeSeries(request) ?? unrouted);
    const { method, headers, socket: peer, routeOptions } = request;
    const scope = new RequestScope(method, routeOptions.url ?? UNROUTED, givenIdsOf({ headers, peer }));
    request.scope = scope;
    if (scope.isTraced) reply.raw.once('close', () => scope.end(statusOf(reply)));
    scope.run(done);
  });
  // Reading a body leaves the scope: what comes then is called by the connection.
  app.addHook('preHandler', (request, _, done) => {
    if (request.scope === undefined) done();
    else request.scope.run(done);
  });
}

const UNROUTED = 'unrouted';
const statusOf = ({ raw }: FastifyReply): number => (raw.headersSent ? raw.statusCode : CLIENT_GONE);

/** The series of a request's route; `undefined` = it has none. */
function routeSeries(request: FastifyRequest): RequestSeries | undefined {
  return request.routeOptions.config.series;
}

/** Counts the response to a request that has just come, when it ends. */
export function countResponse(reply: FastifyReply, series: RequestSeries): void {
  const startedAt = performance.now();
  const { raw } = reply;
  raw.once('close', () => {
    series.count(statusOf(reply), performance.now() - startedAt, reply.refusal);
  });
}

/** The routes of a plugin, counted together. */
export function countedTogether(
  counts: RequestCounts,
  group: (typeof ROUTE_GROUPS)[keyof typeof ROUTE_GROUPS],
  plugin: FastifyPluginCallback,
): FastifyPluginCallback {
  const isTimed = group !== ROUTE_GROUPS.dumps && group !== ROUTE_GROUPS.publications;
  const series = counts.series(group, 'router', { isTimed });
  return (app, options, done) => {
    app.addHook('onRoute', (route) => {
      route.config = { series, ...route.config };
    });
    plugin(app, options, done);
  };
}
