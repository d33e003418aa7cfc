/** Which endpoint a path means, where that can be told letter by letter. */
import type { Endpoint } from './endpoint.ts';

type Found = { readonly endpoint: Endpoint; readonly segments: Readonly<Record<string, string>> };

/** `undefined` = ask the router. */
export type Find = (path: string) => Found | undefined;

/** Only letters that mean themselves in a path: whatever has to be decoded first is the router's. */
const PLAIN_SEGMENT = /^[\w-]{1,100}$/;
const NO_SEGMENTS = {};

/** Finds endpoints that are read, without parameters in their path and with one. */
export function endpointFinder(endpoints: readonly Endpoint[]): Find {
  const whole = new Map<string, Found>();
  const open: { endpoint: Endpoint; name: string; before: string; after: string }[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.method === 'POST') continue;
    const [before = '', name, after = ''] = endpoint.path.split(/[{}]/);
    if (name === undefined) whole.set(before, { endpoint, segments: NO_SEGMENTS });
    else open.push({ endpoint, name, before, after });
  }
  return (path) => {
    const found = whole.get(path);
    if (found !== undefined) return found;
    for (const { endpoint, name, before, after } of open) {
      if (!path.startsWith(before) || !path.endsWith(after)) continue;
      const segment = path.slice(before.length, path.length - after.length);
      if (PLAIN_SEGMENT.test(segment)) return { endpoint, segments: { [name]: segment } };
    }
    return undefined;
  };
}
