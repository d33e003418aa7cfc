/** From a path and method to an endpoint, a page or a refusal. Fastify routes and reads bodies; we write the answers. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify';
import { type Gate, OPEN } from '../access/access.ts';
import { MESSAGES } from '../contract/messages.ts';
import type { SentBody } from '../declaration/body-fields.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import type { Find } from '../declaration/endpoint-finder.ts';
import { Body } from '../encoding/body.ts';
import type { Served } from '../publishing/publisher.ts';
import { corsAllowed } from '../request/cors.ts';
import { plainPath, splitTarget } from '../request/request-target.ts';
import { type Answer, COMMON_HEADERS, CORS_HEADERS, send } from '../response/answer.ts';
import { methodRefused, noSuchPath, type Problem, problem, refusal } from '../response/problem.ts';
import { type Respond, refuse } from '../response/responder.ts';
import { pageAnswer, type SiteHook } from '../response/site-pages.ts';
import type { Limits } from './connection/connection-limits.ts';

export type RouterParts = {
  readonly endpoints: readonly Endpoint[];
  readonly find: Find;
  readonly gate: Gate;
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

const READS = ['GET', 'HEAD'];
const POSTS = ['POST'];
/** CONNECT never gets here: it has no path. */
const others = (methods: readonly string[]) =>
  http.METHODS.filter((method) => ![...methods, 'OPTIONS', 'CONNECT'].includes(method));
const LONGEST_SEGMENT = 500;

/** Registers every address of the service. */
export function createRouter(parts: RouterParts): FastifyInstance {
  const direct = directReads(parts);
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
  app.removeAllContentTypeParsers();
  // Whatever it is marked as: the endpoint looks at that.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
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
  const posted = endpoint.method === 'POST';
  const methods = posted ? POSTS : READS;
  const allowed = [...methods, 'OPTIONS'].join(', ');
  if (posted) addPost(app, endpoint, parts);
  else {
    addRoute(app, READS, endpoint.path, (request, response, segments) => {
      if (Object.values(segments).includes('')) parts.respond(request, response, () => elsewhere(request, parts));
      else read(endpoint, request, response, segments, parts);
    });
  }
  const options = {
    status: 204,
    headers: endpoint.cors ? PREFLIGHT : ['Allow', allowed, ...NOT_FOR_PAGES],
    body: null,
  };
  addRoute(app, ['OPTIONS'], endpoint.path, (request, response) => {
    parts.respond(request, response, () => toAnyone(request, options, parts));
  });
  addRoute(app, others(methods), endpoint.path, (request, response) => {
    const refused = refusal(methodRefused(allowed), corsAllowed(request.method, request.url));
    parts.respond(request, response, () => toAnyone(request, refused, parts));
  });
}

/** An answer that no key changes. The gate adds the headers of a valid one: they are on every answer to it. */
function toAnyone(request: IncomingMessage, settled: Answer, { gate }: RouterParts): Answer | Promise<Answer> {
  const { headers, socket: peer, method, url = '' } = request;
  const caller = { headers, peer };
  const cors = corsAllowed(method, url);
  return gate({ access: OPEN, path: url, caller, cors, cacheable: false, plan: () => ({ settled }) });
}

/** The body is read, up to its bound, before anything is decided: what is wrong with it is told after what is wrong with the key. */
function addPost(app: FastifyInstance, endpoint: Endpoint, parts: RouterParts): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, body: SentBody) => {
    reply.hijack();
    const { headers, socket, url } = request.raw;
    const { query } = splitTarget(url as string);
    const incoming = { headers, peer: socket, query, segments: {}, body };
    parts.respond(request.raw, reply.raw, () => endpoint.answer(incoming, parts.served().edition, parts.gate));
  };
  app.route({
    method: [...POSTS],
    url: endpoint.path,
    handler: async (request, reply) => {
      const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
      const { 'content-type': type, 'content-encoding': coding } = request.headers;
      answer(request, reply, { bytes, type, coding });
    },
    errorHandler: (error, request, reply) => {
      if (!error.statusCode || error.statusCode >= 500) throw error;
      // What is left of it is not read.
      reply.raw.setHeader('Connection', 'close');
      answer(request, reply, { problem: problemOf(error) });
    },
  });
}

function read(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  segments: Readonly<Record<string, string>>,
  { respond, served, gate }: RouterParts,
): void {
  const { query } = splitTarget(request.url as string);
  const incoming = { headers: request.headers, peer: request.socket, query, segments };
  respond(request, response, () => endpoint.answer(incoming, served().edition, gate));
}

/**
 * Answers reads whose path is an endpoint's letter by letter; `false` = the router should look. Measured: a search costs
 * a fifth less without the router's own request and reply.
 */
function directReads(parts: RouterParts) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!READS.includes(request.method as string)) return false;
    const found = parts.find(splitTarget(request.url as string).path);
    if (found === undefined) return false;
    read(found.endpoint, request, response, found.segments, parts);
    return true;
  };
}

/** `X-Api-Key` is not among the allowed headers: keys stay server-side. Decision 16. */
const READ_METHODS = [...READS, 'OPTIONS'].join(', ');
const PREFLIGHT = [
  'Allow',
  READ_METHODS,
  'Cache-Control',
  'no-store',
  'Access-Control-Allow-Methods',
  READ_METHODS,
  'Access-Control-Allow-Headers',
  'Accept, Accept-Language, Content-Type',
  'Access-Control-Max-Age',
  '86400',
  ...COMMON_HEADERS,
  ...CORS_HEADERS,
];

const NOT_FOR_PAGES = ['Cache-Control', 'no-store', ...COMMON_HEADERS];

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
      return refusal(problemOf(error), corsAllowed(request.method, request.url));
    });
  });
}

async function elsewhere(request: IncomingMessage, parts: RouterParts): Promise<Answer> {
  const { publicUrl, site } = parts;
  const { path: sent, query } = splitTarget(request.url as string);
  const path = plainPath(sent);
  const cors = corsAllowed(request.method, request.url);
  if (path === '/api' || path.startsWith('/api/'))
    return toAnyone(request, refusal(noSuchPath(publicUrl(), RETIRED[path]), cors), parts);
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
