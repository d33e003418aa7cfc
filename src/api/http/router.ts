/** From a path and method to an endpoint, a page or a refusal. Fastify routes and reads bodies; we write the answers. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify';
import { type AccessControl, OPEN_ACCESS } from '../access/access.ts';
import { MESSAGES } from '../contract/messages.ts';
import type { RequestBody } from '../declaration/body-fields.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import type { FindEndpoint } from '../declaration/endpoint-finder.ts';
import { Body } from '../encoding/body.ts';
import { corsAllowed } from '../request/cors.ts';
import { decodePath, splitTarget } from '../request/request-target.ts';
import { type Answer, COMMON_HEADERS, CORS_HEADERS, sendAnswer } from '../response/answer.ts';
import { methodNotAllowed, noSuchPath, type Problem, problem, problemAnswer } from '../response/problem.ts';
import { type Responder, sendProblem } from '../response/responder.ts';
import { pageAnswer, type SiteHandler } from '../response/site-pages.ts';
import type { ConnectionLimits } from './connection/connection-limits.ts';
import type { ServedPublication } from './fast-path/prerendered-responses.ts';

export type RouterDependencies = {
  readonly endpoints: readonly Endpoint[];
  readonly findEndpoint: FindEndpoint;
  readonly accessControl: AccessControl;
  readonly served: () => ServedPublication;
  readonly publicUrl: () => string;
  readonly site: SiteHandler;
  readonly respond: Responder;
  readonly limits: ConnectionLimits;
  readonly serverFactory: FastifyServerFactory;
};

/** Paths that existed once, and what took their place. Rule 18. */
const RETIRED: Readonly<Record<string, string>> = {
  '/api/preturi': '/api/v1/preturi',
  '/api/statii': '/api/v1/statii',
  '/api/retele': '/api/v1/retele',
};

/** For load balancers, outside the contract: 200 while the process can answer. Rule 33. */
const PROBE_PATHS = ['/livez', '/readyz'];

const READS = ['GET', 'HEAD'];
const POSTS = ['POST'];
/** CONNECT never gets here: it has no path. */
const otherMethods = (methods: readonly string[]) =>
  http.METHODS.filter((method) => ![...methods, 'OPTIONS', 'CONNECT'].includes(method));
const MAX_SEGMENT_LENGTH = 500;

/** Registers every address of the service. */
export function createRouter(dependencies: RouterDependencies): FastifyInstance {
  const answerDirectly = createDirectReads(dependencies);
  const app = Fastify({
    serverFactory: (route, options) =>
      dependencies.serverFactory(
        (request, response) => answerDirectly(request, response) || route(request, response),
        options,
      ),
    bodyLimit: dependencies.limits.bodyBytes,
    // A request that arrives while we stop is still answered; the door closes its connection.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: MAX_SEGMENT_LENGTH, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => sendProblem(request.raw, reply.raw, frameworkProblem(error)),
    // What is no request never gets this far: the door answers it.
    clientErrorHandler: () => undefined,
  });
  app.removeAllContentTypeParsers();
  // Whatever it is marked as: the endpoint looks at that.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, bytes, done) => done(null, bytes));
  for (const method of http.METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const endpoint of dependencies.endpoints) addEndpoint(app, endpoint, dependencies);
  for (const path of PROBE_PATHS)
    addRoute(app, READS, path, (request, response) => void sendAnswer(request, response, PROBE_ANSWER));
  addFallbacks(app, dependencies);
  return app;
}

type RawHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  segments: Readonly<Record<string, string>>,
) => void;

/** A route answered before its body is read, on the bare request and response. */
function addRoute(app: FastifyInstance, method: readonly string[], path: string, handler: RawHandler): void {
  app.route({
    method: [...method],
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest(request, reply) {
      reply.hijack();
      handler(request.raw, reply.raw, request.params as Record<string, string>);
    },
    handler: async () => undefined,
  });
}

function addEndpoint(app: FastifyInstance, endpoint: Endpoint, dependencies: RouterDependencies): void {
  const posted = endpoint.method === 'POST';
  const methods = posted ? POSTS : READS;
  const allowedMethods = [...methods, 'OPTIONS'].join(', ');
  if (posted) addPost(app, endpoint, dependencies);
  else {
    addRoute(app, READS, endpoint.path, (request, response, segments) => {
      if (Object.values(segments).includes(''))
        dependencies.respond(request, response, () => answerUnrouted(request, dependencies));
      else answerRead(endpoint, request, response, segments, dependencies);
    });
  }
  const options = {
    status: 204,
    headers: endpoint.cors ? PREFLIGHT_HEADERS : ['Allow', allowedMethods, ...NO_CORS_HEADERS],
    body: null,
  };
  addRoute(app, ['OPTIONS'], endpoint.path, (request, response) => {
    dependencies.respond(request, response, () => answerWithoutAccess(request, options, dependencies));
  });
  addRoute(app, otherMethods(methods), endpoint.path, (request, response) => {
    const refused = problemAnswer(methodNotAllowed(allowedMethods), corsAllowed(request.method, request.url));
    dependencies.respond(request, response, () => answerWithoutAccess(request, refused, dependencies));
  });
}

/** An answer that no key changes. The gate adds the headers of a valid one: they are on every answer to it. */
function answerWithoutAccess(
  request: IncomingMessage,
  answer: Answer,
  { accessControl }: RouterDependencies,
): Answer | Promise<Answer> {
  const { headers, socket: peer, method, url = '' } = request;
  const caller = { headers, peer };
  const cors = corsAllowed(method, url);
  return accessControl({ access: OPEN_ACCESS, path: url, caller, cors, cacheable: false, prepare: () => ({ answer }) });
}

/** The body is read, up to its bound, before anything is decided: what is wrong with it is told after what is wrong with the key. */
function addPost(app: FastifyInstance, endpoint: Endpoint, dependencies: RouterDependencies): void {
  const answer = (request: FastifyRequest, reply: FastifyReply, body: RequestBody) => {
    reply.hijack();
    const { headers, socket, url } = request.raw;
    const { query } = splitTarget(url as string);
    const incoming = { headers, peer: socket, query, segments: {}, body };
    dependencies.respond(request.raw, reply.raw, () =>
      endpoint.answer(incoming, dependencies.served().rendered, dependencies.accessControl),
    );
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
      answer(request, reply, { problem: frameworkProblem(error) });
    },
  });
}

function answerRead(
  endpoint: Endpoint,
  request: IncomingMessage,
  response: ServerResponse,
  segments: Readonly<Record<string, string>>,
  { respond, served, accessControl }: RouterDependencies,
): void {
  const { query } = splitTarget(request.url as string);
  const incoming = { headers: request.headers, peer: request.socket, query, segments };
  respond(request, response, () => endpoint.answer(incoming, served().rendered, accessControl));
}

/**
 * Answers reads whose path is an endpoint's letter by letter; `false` = the router should look. Measured: a search costs
 * a fifth less without the router's own request and reply.
 */
function createDirectReads(dependencies: RouterDependencies) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!READS.includes(request.method as string)) return false;
    const match = dependencies.findEndpoint(splitTarget(request.url as string).path);
    if (match === undefined) return false;
    answerRead(match.endpoint, request, response, match.segments, dependencies);
    return true;
  };
}

/** `X-Api-Key` is not among the allowed headers: keys stay server-side. Rule 16. */
const READ_METHODS = [...READS, 'OPTIONS'].join(', ');
const PREFLIGHT_HEADERS = [
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

const NO_CORS_HEADERS = ['Cache-Control', 'no-store', ...COMMON_HEADERS];

const PROBE_ANSWER: Answer = {
  status: 200,
  headers: ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
  body: Body.uncompressed(Buffer.from('{"status":"ok"}')),
};

/** Unknown and retired paths, pages, and what goes wrong between routing and a handler. */
function addFallbacks(app: FastifyInstance, dependencies: RouterDependencies): void {
  const answerUnknown = (request: IncomingMessage, response: ServerResponse) =>
    dependencies.respond(request, response, () => answerUnrouted(request, dependencies));
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    reply.hijack();
    answerUnknown(request.raw, reply.raw);
  });
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    reply.hijack();
    dependencies.respond(request.raw, reply.raw, () => {
      if (!error.statusCode || error.statusCode >= 500) throw error;
      return problemAnswer(frameworkProblem(error), corsAllowed(request.method, request.url));
    });
  });
}

async function answerUnrouted(request: IncomingMessage, dependencies: RouterDependencies): Promise<Answer> {
  const { publicUrl, site } = dependencies;
  const { path: sentPath, query } = splitTarget(request.url as string);
  const path = decodePath(sentPath);
  const cors = corsAllowed(request.method, request.url);
  if (path === '/api' || path.startsWith('/api/'))
    return answerWithoutAccess(request, problemAnswer(noSuchPath(publicUrl(), RETIRED[path]), cors), dependencies);
  const page = await site(path, new URLSearchParams(query), request.headers['accept-language']);
  if (page && !READS.includes(request.method as string)) return problemAnswer(methodNotAllowed('GET, HEAD'), cors);
  return pageAnswer(page);
}

/** The framework's own errors in our words. */
function frameworkProblem({ statusCode = 400, code }: Partial<FastifyError>): Problem {
  switch (statusCode) {
    case 413:
      return problem(413, MESSAGES.bodyTooLarge);
    case 414:
      return problem(414, MESSAGES.urlTooLong);
    case 415:
      return problem(415, MESSAGES.bodyType);
    default:
      return problem(400, code === 'FST_ERR_BAD_URL' ? MESSAGES.undecodable : MESSAGES.bodyNotJson);
  }
}
