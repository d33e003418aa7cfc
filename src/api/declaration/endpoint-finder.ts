/** Which endpoint a path means, where that can be told letter by letter. */
import type { Endpoint } from './endpoint.ts';

type EndpointMatch = { readonly endpoint: Endpoint; readonly segments: Readonly<Record<string, string>> };

/** `undefined` = ask the router. */
export type FindEndpoint = (path: string) => EndpointMatch | undefined;

/** Only letters that mean themselves in a path: whatever has to be decoded first is the router's. */
const PLAIN_SEGMENT = /^[\w-]{1,100}$/;
const NO_SEGMENTS = {};

/** Finds endpoints that are read, without parameters in their path and with one. */
export function createEndpointFinder(endpoints: readonly Endpoint[]): FindEndpoint {
  const byExactPath = new Map<string, EndpointMatch>();
  const withSegment: { endpoint: Endpoint; name: string; before: string; after: string }[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.method === 'POST') continue;
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
