/** From a path and method to an endpoint, a page or a refusal. Fastify routes and reads bodies; we write the answers. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyServerFactory } from 'fastify';
import { type Answer, COMMON_HEADERS, CORS_HEADERS, send } from './answer.ts';
import { Body } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { endpointFinder } from './endpoint-finder.ts';
import type { Limits } from './limits.ts';
import { MESSAGES } from './messages.ts';
import { methodRefused, noSuchPath, type Problem, problem, refusal } from './problem.ts';
import type { Served } from './publisher.ts';
import { splitTarget } from './query.ts';
import { corsAllowed, type Respond, refuse } from './respond.ts';
import { pageAnswer, type SiteHook } from './site-hook.ts';

export type RouterParts = {
  readonly endpoints: readonly Endpoint[];
  readonly served: () => Served;
  readonly publicUrl: () => string;
  readonly site: SiteHook;
  readonly respond: Respond;
  readonly limits: Limits;
  readonly serverFactory: FastifyServerFactory;
};

/** Paths that existed once, and what took their place. Decision 18. */
const RETIRED: Readonly<Record<string, string>> = {
  '/api/preturi': '/api/v1/preturi',
  '/api/statii': '/api/v1/statii',
  '/api/retele': '/api/v1/retele',
};

/** For load balancers, outside the contract: 200 while the process can answer. Decision 33. */
const PROBES = ['/livez', '/readyz'];

const ALLOWED = 'GET, HEAD, OPTIONS';
const READS = ['GET', 'HEAD'];
/** CONNECT never gets here: it has no path. */
const OTHER_METHODS = http.METHODS.filter((method) => ![...READS, 'OPTIONS', 'CONNECT'].includes(method));
const LONGEST_SEGMENT = 500;

/** Registers every address of the service. */
export function createRouter(parts: RouterParts): FastifyInstance {
  const direct = directReads(parts.endpoints, parts);
  const app = Fastify({
    serverFactory: (route, options) =>
      parts.serverFactory((request, response) => direct(request, response) || route(request, response), options),
    bodyLimit: parts.limits.bodyBytes,
    // A request that arrives while we stop is still answered; the door closes its connection.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: LONGEST_SEGMENT, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => refuse(request.raw, reply.raw, problemOf(error)),
    // What is no request never gets this far: the door answers it.
    clientErrorHandler: () => undefined,
  });
  for (const method of http.METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const endpoint of parts.endpoints) addEndpoint(app, endpoint, parts);
  for (const path of PROBES) addRoute(app, READS, path, (request, response) => void send(request, response, ALIVE));
  refuseEverythingElse(app, parts);
  return app;
}

type Raw = (request: IncomingMessage, response: ServerResponse, segments: Readonly<Record<string, string>>) => void;

/** A route answered before its body is read, on the bare request and response. */
function addRoute(app: FastifyInstance, method: readonly string[], path: string, raw: Raw): void {
  app.route({
    method: [...method],
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest(request, reply) {
      reply.hijack();
      raw(request.raw, reply.raw, request.params as Record<string, string>);
    },
    handler: async () => undefined,
  });
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, parts: RouterParts): void {
  addRoute(app, READS, endpoint.path, (request, response, segments) => {
    if (Object.values(segments).includes('')) refuse(request, response, noSuchPath(parts.publicUrl()));
    else read(endpoint, request, response, segments, parts);
  });
  addRoute(app, ['OPTIONS'], endpoint.path, (_, response) => {
    response.writeHead(204, [...PREFLIGHT]).end();
  });
  addRoute(app, OTHER_METHODS, endpoint.path, (request, response) => {
    refuse(request, response, methodRefused(ALLOWED));
  });
}

function read(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  segments: Readonly<Record<string, string>>,
  { respond, served }: RouterParts,
): void {
  const { query } = splitTarget(request.url as string);
  const incoming = { headers: request.headers, query, segments };
  respond(request, response, () => endpoint.answer(incoming, served().edition));
}

/**
 * Answers reads whose path is an endpoint's letter by letter; `false` = the router should look. Measured: a search costs
 * a fifth less without the router's own request and reply.
 */
function directReads(endpoints: readonly Endpoint[], parts: RouterParts) {
  const find = endpointFinder(endpoints);
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!READS.includes(request.method as string)) return false;
    const found = find(splitTarget(request.url as string).path);
    if (found === undefined) return false;
    read(found.endpoint, request, response, found.segments, parts);
    return true;
  };
}

/** `X-Api-Key` is not among the allowed headers: keys stay server-side. Decision 16. */
const PREFLIGHT = [
  'Allow',
  ALLOWED,
  'Cache-Control',
  'no-store',
  'Access-Control-Allow-Methods',
  ALLOWED,
  'Access-Control-Allow-Headers',
  'Accept, Accept-Language, Content-Type',
  'Access-Control-Max-Age',
  '86400',
  ...COMMON_HEADERS,
  ...CORS_HEADERS,
];

const ALIVE: Answer = {
  status: 200,
  headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
  body: Body.uncoded(Buffer.from('{"status":"ok"}')),
};

/** Unknown and retired paths, pages, and what goes wrong between routing and a handler. */
function refuseEverythingElse(app: FastifyInstance, parts: RouterParts): void {
  const unknown = (request: IncomingMessage, response: ServerResponse) =>
    parts.respond(request, response, () => elsewhere(request, parts));
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    reply.hijack();
    unknown(request.raw, reply.raw);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    reply.hijack();
    parts.respond(request.raw, reply.raw, () => {
      if (!error.statusCode || error.statusCode >= 500) throw error;
      return refusal(problemOf(error), corsAllowed(request.method));
    });
  });
}

async function elsewhere(request: IncomingMessage, { publicUrl, site }: RouterParts): Promise<Answer> {
  const { path, query } = splitTarget(request.url as string);
  const cors = corsAllowed(request.method);
  if (path === '/api' || path.startsWith('/api/')) return refusal(noSuchPath(publicUrl(), RETIRED[path]), cors);
  const page = await site(path, new URLSearchParams(query), request.headers['accept-language']);
  if (page && !READS.includes(request.method as string)) return refusal(methodRefused('GET, HEAD'), cors);
  return pageAnswer(page);
}

/** The framework's own errors in our words. */
function problemOf({ statusCode = 400, code }: Partial<FastifyError>): Problem {
  switch (statusCode) {
    case 413:
      return problem(413, MESSAGES.bodyTooLarge);
    case 414:
      return problem(414, MESSAGES.urlTooLong);
    case 415:
      return problem(415, MESSAGES.bodyType);
    default:
      return problem(400, code === 'FST_ERR_BAD_URL' ? MESSAGES.undecodable : MESSAGES.bodyBroken);
  }
}
