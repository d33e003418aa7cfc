/** The routes of the endpoints: GET with its HEAD, other methods, and OPTIONS. `endpoint.answer` does the work. */
import type {
  FastifyInstance,
  FastifyPluginCallback,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import type { RequestCounts } from '../../telemetry/request-counts.ts';
import type { AccessControl } from '../access/access-rules.ts';
import { MESSAGES } from '../contract/messages.ts';
import { endpointSeries } from '../counting/endpoint-series.ts';
import type { RequestBody } from '../declaration/body-fields.ts';
import type { Endpoint, Method } from '../declaration/endpoint.ts';
import { endpointsByPath } from '../declaration/endpoint-finder.ts';
import { splitTarget } from '../request/request-target.ts';
import { type Answer, CORS_HEADERS, LICENCE_AND_NOSNIFF_HEADERS } from '../response/answer.ts';
import { problem } from '../response/problem.ts';
import { limitChunks } from './body-chunks.ts';
import type { ServedSnapshot } from './fast-path/prerendered-responses.ts';
import { frameworkProblem } from './framework-problem.ts';
import { sendAnswer } from './reply.ts';
import { addKeyHeaders, MAX_SEGMENT_LENGTH, methodsOf, refusalWithKeyHeaders } from './unrouted.ts';

export type EndpointRoutesDependencies = {
  readonly endpoints: readonly Endpoint[];
  readonly accessControl: AccessControl;
  readonly served: () => ServedSnapshot;
  readonly counts: RequestCounts;
  /** How long a connection may stand still otherwise. */
  readonly stallTimeoutMs: number;
};

/** Registers the routes of all endpoints, as a Fastify plugin. */
export function endpointRoutes(dependencies: EndpointRoutesDependencies): FastifyPluginCallback {
  return (app, _, done) => {
    app.addHook('onRequest', refuseLongSegments(dependencies.accessControl));
    // Endpoints parse bodies themselves, whatever the content type.
    const types = ['application/json', 'text/plain', '*'];
    app.addContentTypeParser(types, { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    for (const [path, endpoints] of endpointsByPath(dependencies.endpoints))
      addRoutes(app, path, endpoints, dependencies);
    // No other path below /api is a page.
    for (const url of ['/api', '/api/*']) app.get(url, (_request, reply) => void reply.callNotFound());
    done();
  };
}

function refuseLongSegments(accessControl: AccessControl): onRequestHookHandler {
  return (request, reply, done) => {
    const { '*': _, ...segments } = request.params as Record<string, string>;
    const tooLong = Object.values(segments).some(({ length }) => length > MAX_SEGMENT_LENGTH);
    if (!tooLong) return done();
    const refusal = refusalWithKeyHeaders(request, problem(414, MESSAGES.urlTooLong), accessControl);
    void sendAnswer(request, reply, refusal)?.catch(done);
  };
}

function addRoutes(
  app: FastifyInstance,
  path: string,
  endpoints: readonly Endpoint[],
  dependencies: EndpointRoutesDependencies,
): void {
  const url = path.replaceAll(/\{(\w+)\}/g, ':$1');
  for (const endpoint of endpoints) {
    const { method = 'GET' } = endpoint;
    if (method === 'GET') addGet(app, url, endpoint, dependencies);
    else addWithBody(app, url, method, endpoint, dependencies);
  }
  const preflight = preflightAnswer(endpoints);
  // Refuses before Fastify reads a body that no handler needs.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    await sendAnswer(request, reply, addKeyHeaders(request, preflight, dependencies.accessControl));
  };
  app.options(url, { onRequest }, () => undefined);
}

function addGet(app: FastifyInstance, url: string, endpoint: Endpoint, dependencies: EndpointRoutesDependencies): void {
  const config = { series: endpointSeries(dependencies.counts, endpoint, 'router') };
  app.get(url, { config }, (request, reply) => {
    const segments = request.params as Readonly<Record<string, string>>;
    if (Object.values(segments).includes('')) return void reply.callNotFound();
    allowWait(request, endpoint, dependencies);
    return sendAnswer(request, reply, answer(endpoint, request, dependencies, { segments }));
  });
}

/** Lets the connection stand still for as long as the answer may take. Node sets its own again for the next request. */
function allowWait(
  { raw }: FastifyRequest,
  { longestWaitMs }: Endpoint,
  { stallTimeoutMs }: EndpointRoutesDependencies,
) {
  if (longestWaitMs !== undefined) raw.socket.setTimeout(stallTimeoutMs + longestWaitMs);
}

/** A bad body goes to the endpoint as input, not as an error: an endpoint that takes keys refuses a bad one first. */
function addWithBody(
  app: FastifyInstance,
  url: string,
  method: Exclude<Method, 'GET'>,
  endpoint: Endpoint,
  dependencies: EndpointRoutesDependencies,
): void {
  const answerTo = (request: FastifyRequest, reply: FastifyReply, body: RequestBody) => {
    const segments = request.params as Readonly<Record<string, string>>;
    if (Object.values(segments).includes('')) return void reply.callNotFound();
    allowWait(request, endpoint, dependencies);
    return sendAnswer(request, reply, answer(endpoint, request, dependencies, { segments, body }));
  };
  app.route({
    ...{ method, url, config: { series: endpointSeries(dependencies.counts, endpoint, 'router') } },
    preParsing: limitChunks,
    errorHandler: (error, request, reply) => {
      const refusal = frameworkProblem(error);
      if (refusal === null) throw error;
      // The rest of the body is not read.
      reply.header('Connection', 'close');
      return answerTo(request, reply, { problem: refusal });
    },
    handler: (request, reply) => {
      const { 'content-type': type, 'content-encoding': coding } = request.headers;
      const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      return answerTo(request, reply, { bytes, type, coding });
    },
  });
}

type PathAndBody = { readonly segments: Readonly<Record<string, string>>; readonly body?: RequestBody };

function answer(
  endpoint: Endpoint,
  { headers, socket: peer, url }: FastifyRequest,
  { accessControl, served }: EndpointRoutesDependencies,
  { segments, body }: PathAndBody,
): Answer | Promise<Answer> {
  const { query } = splitTarget(url);
  const incoming = { headers, peer, query, segments, ...(body !== undefined && { body }) };
  return endpoint.answer(incoming, served().rendered, accessControl);
}

const ALLOWED_HEADERS = ['Accept', 'Accept-Language', 'Content-Type'];

/** `X-Api-Key` is not among the allowed headers: keys stay server-side. Rule 16. */
function preflightAnswer(endpoints: readonly Endpoint[]): Answer {
  const methods = methodsOf(endpoints).join(', ');
  const common = ['Allow', methods, 'Cache-Control', 'no-store'];
  const cors = [
    ...['Access-Control-Allow-Methods', methods],
    ...[
      'Access-Control-Allow-Headers',
      [...ALLOWED_HEADERS, ...new Set(endpoints.flatMap(({ allowedHeaders = [] }) => allowedHeaders))].join(', '),
    ],
    ...['Access-Control-Max-Age', '86400'],
  ];
  const headers = endpoints.some(({ cors }) => cors)
    ? [...common, ...cors, ...LICENCE_AND_NOSNIFF_HEADERS, ...CORS_HEADERS]
    : [...common, ...LICENCE_AND_NOSNIFF_HEADERS];
  return { status: 204, headers, body: null };
}
