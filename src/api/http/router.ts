/** Fastify, for requests off the fast path: hooks for every request, the routes, and one error handler. */
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginCallback,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify';
import type { RequestCounts } from '../../telemetry/request-counts.ts';
import type { GivenIds } from '../../telemetry/request-scope.ts';
import type { BillingRoute } from '../billing/billing-route.ts';
import { MESSAGES } from '../contract/messages.ts';
import { countedTogether, countRequests, countResponse } from '../counting/counted-routes.ts';
import { ROUTE_GROUPS } from '../counting/endpoint-series.ts';
import { Body } from '../encoding/body.ts';
import type { DriverReportService } from '../endpoints/driver-report-submission.ts';
import type { ReviewEndpointDependencies } from '../endpoints/reviews.ts';
import type { Caller } from '../request/caller.ts';
import { hostHeaders, isHost } from '../request/host-header.ts';
import { originForm } from '../request/request-target.ts';
import type { Answer } from '../response/answer.ts';
import type { FailureAnswer } from '../response/failure.ts';
import { inNamedFormat } from '../response/journey-problem.ts';
import { type Problem, problem } from '../response/problem.ts';
import { billingRoutes } from './billing-routes.ts';
import { challengeRoute } from './challenge-route.ts';
import type { ConnectionLimits } from './connection/connection-limits.ts';
import type { RequestTurns } from './connection/request-turns.ts';
import { type DumpRoutesDependencies, dumpRoutes } from './dump-routes.ts';
import { type EndpointRoutesDependencies, endpointRoutes } from './endpoint-routes.ts';
import { formRoutes } from './form-routes.ts';
import { formTargets } from './form-targets.ts';
import { frameworkProblem } from './framework-problem.ts';
import { sendAnswer } from './reply.ts';
import { siteRoutes } from './site-routes.ts';
import { createUnroutedAnswer, refusalWithKeyHeaders, type UnroutedDependencies } from './unrouted.ts';
import { type ReceiveWebhook, webhookRoute } from './webhook-route.ts';

/** Routes made outside of this folder, and how they are counted. */
export type FurtherRoutes = { readonly group: 'mcp' | 'publications'; readonly routes: FastifyPluginCallback };

export type RouterDependencies = EndpointRoutesDependencies &
  UnroutedDependencies &
  DumpRoutesDependencies & {
    readonly reviews: ReviewEndpointDependencies;
    readonly reports: DriverReportService;
    /** The pages and forms of selling. */
    readonly billing: readonly BillingRoute[];
    /** Where Stripe posts its events; `null` = it does not. */
    readonly webhook: ReceiveWebhook | null;
    readonly furtherRoutes: readonly FurtherRoutes[];
    readonly isReady: () => boolean;
    readonly isStopping: () => boolean;
    readonly clientOf: (caller: Caller) => string;
    readonly failureAnswer: FailureAnswer;
    readonly limits: ConnectionLimits;
    readonly turns: RequestTurns;
    readonly counts: RequestCounts;
    readonly givenIdsOf: (caller: Caller) => GivenIds | null;
    readonly serverFactory: FastifyServerFactory;
  };

/** Registers every route of the service. */
export function createRouter(dependencies: RouterDependencies): FastifyInstance {
  const { limits, counts } = dependencies;
  const app = Fastify({
    serverFactory: dependencies.serverFactory,
    // `HttpServer` refuses what is not HTTP.
    clientErrorHandler: () => undefined,
    bodyLimit: limits.bodyBytes,
    // A request that arrives while the service stops still gets its answer; then its connection closes.
    return503OnClosing: false,
    // The absolute form of a target (RFC 9112, 3.2.2) means its path.
    rewriteUrl: ({ url = '/' }) => originForm(url),
    // The endpoints' routes have their own bound: a longer segment must not fall through to the pages' wildcard.
    routerOptions: { maxParamLength: limits.targetBytes },
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    frameworkErrors: (error, request, reply) => {
      countResponse(reply, counts.series(ROUTE_GROUPS.unrouted, 'router'));
      const refusal = requestProblem(request, limits) ?? frameworkProblem(error);
      void sendAnswer(request, reply, errorAnswer(dependencies, request, error, refusal));
    },
  });
  countRequests(app, counts, dependencies.givenIdsOf);
  handleErrors(app, dependencies);
  shareTurns(app, dependencies);
  const register = (group: keyof typeof ROUTE_GROUPS, plugin: FastifyPluginCallback) =>
    app.register(countedTogether(counts, ROUTE_GROUPS[group], plugin));
  register('probe', probeRoutes(dependencies));
  app.register(endpointRoutes(dependencies));
  register('challenge', challengeRoute(dependencies.reviews, dependencies.clientOf));
  register('form', formRoutes(formTargets(dependencies), dependencies));
  register('selling', billingRoutes(dependencies.billing, dependencies));
  if (dependencies.webhook !== null) register('stripe', webhookRoute(dependencies.webhook));
  register('dumps', dumpRoutes(dependencies));
  for (const { group, routes } of dependencies.furtherRoutes) register(group, routes);
  register('page', siteRoutes(dependencies));
  return app;
}

/** Declarations check requests, not Fastify: so its compilers of schemas, 100 modules, are never loaded. */
function refuseSchema(): never {
  throw new Error('a route must not have a schema: declarations check its requests');
}

/**
 * For load balancers, outside the contract: `/livez` is 200 while the process can answer, `/readyz` from when it has
 * what its answers need until a stop is requested. Rule 33.
 */
function probeRoutes({
  isReady,
  isStopping,
}: Pick<RouterDependencies, 'isReady' | 'isStopping'>): FastifyPluginCallback {
  const readiness = () => (isStopping() ? STOPPING : isReady() ? READY : STARTING);
  return (app, _, done) => {
    app.get('/livez', (request, reply) => sendAnswer(request, reply, READY));
    app.get('/readyz', (request, reply) => sendAnswer(request, reply, readiness()));
    done();
  };
}

const READY = probeAnswer(200, 'ok');
const STARTING = probeAnswer(503, 'starting');
const STOPPING = probeAnswer(503, 'stopping');

function probeAnswer(code: number, status: string): Answer {
  return {
    status: code,
    headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
    body: Body.uncompressed(Buffer.from(JSON.stringify({ status }))),
  };
}

/** Handles requests that are wrong as a whole, requests without a route, and errors. */
function handleErrors(app: FastifyInstance, dependencies: RouterDependencies): void {
  const { limits, accessControl } = dependencies;
  const unroutedAnswer = createUnroutedAnswer(dependencies);
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = requestProblem(request, limits);
    if (refusal !== null)
      void sendAnswer(
        request,
        reply,
        refusalWithKeyHeaders(request, inNamedFormat(request.method, request.url, refusal), accessControl),
      )?.catch(done);
    // Here, not in the handler below, which runs only after the body is read.
    else if (request.is404) void sendAnswer(request, reply, unroutedAnswer(request))?.catch(done);
    else done();
  });
  app.setNotFoundHandler((request, reply) => sendAnswer(request, reply, unroutedAnswer(request)));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    return sendAnswer(request, reply, errorAnswer(dependencies, request, error, frameworkProblem(error)));
  });
}

/** `refusal`: what is wrong with the request; `null` = the error is ours. */
function errorAnswer(
  { failureAnswer, accessControl }: Pick<RouterDependencies, 'failureAnswer' | 'accessControl'>,
  request: FastifyRequest,
  error: FastifyError,
  refusal: Problem | null,
): Answer | Promise<Answer> {
  return refusal === null ? failureAnswer(request, error) : refusalWithKeyHeaders(request, refusal, accessControl);
}

/** Lets the requests of one client wait for later turns of the event loop, so that those of others come in between. */
function shareTurns(app: FastifyInstance, { turns }: RouterDependencies): void {
  app.addHook('onRequest', ({ raw }, _, done) => {
    const turn = turns.enter({ peer: raw.socket, headers: raw.headers }, 'routed');
    if (turn === null) done();
    else void turn.then(() => done());
  });
}

/** The refusal of a request that Node's parser accepts but the service does not; `null` = none. */
function requestProblem({ raw, originalUrl }: FastifyRequest, limits: ConnectionLimits): Problem | null {
  if (raw.httpVersionMajor !== 1) return problem(400, MESSAGES.requestMalformed);
  if (originalUrl.length > limits.targetBytes) return problem(414, MESSAGES.urlTooLong);
  const { count, first = '' } = hostHeaders(raw.rawHeaders);
  if (count === 0 && raw.httpVersion === '1.1') return problem(400, MESSAGES.hostMissing);
  if (count > 1 || !isHost(first)) return problem(400, MESSAGES.hostInvalid);
  return null;
}
