/** Requests without a route: unknown and retired paths, wrong methods, path segments that are too long. */
import type { FastifyRequest } from 'fastify';
import { type AccessControl, OPEN_ACCESS } from '../access/access-rules.ts';
import { MESSAGES } from '../contract/messages.ts';
import type { Endpoint } from '../declaration/endpoint.ts';
import { createPathMatcher } from '../declaration/endpoint-finder.ts';
import { corsAllowed } from '../request/cors.ts';
import { decodePath, pathOf, splitTarget } from '../request/request-target.ts';
import type { Answer } from '../response/answer.ts';
import { methodNotAllowed, noSuchPath, type Problem, problem, problemAnswer } from '../response/problem.ts';
import { refuseOnPage, type SiteRoutesDependencies } from './site-routes.ts';

export type UnroutedDependencies = SiteRoutesDependencies & {
  readonly endpoints: readonly Endpoint[];
  readonly accessControl: AccessControl;
  readonly publicUrl: () => string;
};

/** Characters in a decoded path segment. */
export const MAX_SEGMENT_LENGTH = 500;

/** Retired paths and their successors. Rule 18. */
const RETIRED: Readonly<Record<string, string>> = {
  '/api/preturi': '/api/v1/preturi',
  '/api/statii': '/api/v1/statii',
  '/api/retele': '/api/v1/retele',
};

/** Makes the answers; synchronously where no page is needed, before more of a body can turn out to be broken. */
export function createUnroutedAnswer(dependencies: UnroutedDependencies) {
  const { endpoints, accessControl, publicUrl } = dependencies;
  const matchPath = createPathMatcher(endpoints);
  return (request: FastifyRequest): Answer | Promise<Answer> => {
    const refuse = (problem: Problem) => refusalWithKeyHeaders(request, problem, accessControl);
    const path = decodePath(splitTarget(request.url).path);
    const match = matchPath(pathOf(request.url));
    if (match !== undefined) {
      if (match.segment.length > MAX_SEGMENT_LENGTH) return refuse(problem(414, MESSAGES.urlTooLong));
      const methods = methodsOf(match.endpoints);
      if (!methods.includes(request.method)) return refuse(methodNotAllowed(methods.join(', ')));
    }
    if (path === '/api' || path.startsWith('/api/')) return refuse(noSuchPath(publicUrl(), RETIRED[path]));
    return refuseOnPage(request, dependencies);
  };
}

/** The methods of the endpoints of one path, as its `Allow` header lists them. */
export function methodsOf(endpoints: readonly Endpoint[]): readonly string[] {
  const own = endpoints.flatMap(({ method = 'GET' }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...own, 'OPTIONS'];
}

/** The refusal of a request for its address or its form, whatever its key is. */
export function refusalWithKeyHeaders(
  request: FastifyRequest,
  problem: Problem,
  accessControl: AccessControl,
): Answer | Promise<Answer> {
  return addKeyHeaders(request, problemAnswer(problem, corsAllowed(request.method, request.url)), accessControl);
}

/** An answer that is the same with any key: access control only adds the headers of a valid one. Rule 2. */
export function addKeyHeaders(
  { headers, socket: peer, method, url }: FastifyRequest,
  answer: Answer,
  accessControl: AccessControl,
): Answer | Promise<Answer> {
  return accessControl({
    access: OPEN_ACCESS,
    path: url,
    caller: { headers, peer },
    cors: corsAllowed(method, url),
    cacheable: false,
    prepare: () => ({ answer }),
  });
}
