/** Which endpoint a path means. */
import type { Endpoint } from './endpoint.ts';

type EndpointMatch = { readonly endpoint: Endpoint; readonly segments: Readonly<Record<string, string>> };

/** `undefined` = the fast path does not answer this path. */
export type FindEndpoint = (path: string) => EndpointMatch | undefined;

/** Only characters that stand for themselves in a path: Fastify decodes every other path. */
const PLAIN_SEGMENT = /^[\w-]{1,100}$/;
const NO_SEGMENTS = {};

/** Finds GET endpoints, with and without a parameter in their path, by comparing characters. */
export function createEndpointFinder(endpoints: readonly Endpoint[]): FindEndpoint {
  const byExactPath = new Map<string, EndpointMatch>();
  const withSegment: { endpoint: Endpoint; name: string; before: string; after: string }[] = [];
  for (const endpoint of endpoints) {
    if ((endpoint.method ?? 'GET') !== 'GET') continue;
    const [before = '', name, after = ''] = endpoint.path.split(/[{}]/);
    if (name === undefined) byExactPath.set(before, { endpoint, segments: NO_SEGMENTS });
    else withSegment.push({ endpoint, name, before, after });
  }
  return (path) => {
    const exact = byExactPath.get(path);
    if (exact !== undefined) return exact;
    for (const { endpoint, name, before, after } of withSegment) {
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      const segment = path.slice(before.length, path.length - after.length);
      if (PLAIN_SEGMENT.test(segment)) return { endpoint, segments: { [name]: segment } };
    }
    return undefined;
  };
}

/** The endpoints of one path, one a method, with the segment that it leaves open; `''` where there is none. */
type PathMatch = { readonly endpoints: readonly Endpoint[]; readonly segment: string };

/** Finds the endpoints of a decoded path, whatever their methods and however odd the open segment. */
export function createPathMatcher(endpoints: readonly Endpoint[]): (path: string) => PathMatch | undefined {
  const patterns = endpointsByPath(endpoints).map(([path, endpoints]) => {
    const [before = '', , after] = path.split(/[{}]/).map(RegExp.escape);
    return { endpoints, pattern: new RegExp(after === undefined ? `^${before}$` : `^${before}([^/]*)${after}$`) };
  });
  return (path) => {
    for (const { endpoints, pattern } of patterns) {
      const match = pattern.exec(path);
      if (match !== null) return { endpoints, segment: match[1] ?? '' };
    }
    return undefined;
  };
}

/** The endpoints of each path, in their order. */
export function endpointsByPath(endpoints: readonly Endpoint[]): [path: string, endpoints: readonly Endpoint[]][] {
  return [...Map.groupBy(endpoints, ({ path }) => path)];
}
