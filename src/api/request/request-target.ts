/** Decodes the query of a request strictly: malformed text is refused, never guessed. */

/** Values by name, in the order sent; `null` = the query cannot be decoded. */
export type Query = ReadonlyMap<string, readonly string[]>;

/**
 * Reads `a=1&b=x%20y`. `+` is a space, as in forms; names and values must be UTF-8. A name without `=` has the empty
 * value.
 */
export function parseQuery(text: string): Query | null {
  const query = new Map<string, string[]>();
  if (text === '') return query;
  // Not by `split`: V8 interns each part that `split` returns.
  for (let start = 0; start <= text.length; ) {
    const nextAmpersand = text.indexOf('&', start);
    const end = nextAmpersand === -1 ? text.length : nextAmpersand;
    const pair = text.slice(start, end);
    start = end + 1;
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodeComponent(at === -1 ? pair : pair.slice(0, at));
    const value = decodeComponent(at === -1 ? '' : pair.slice(at + 1));
    if (name === null || value === null) return null;
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/** The path and the query of a request target. */
export function splitTarget(target: string): { path: string; query: string } {
  const at = target.indexOf('?');
  return at === -1 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) };
}

/** A request target in origin form: an absolute one (RFC 9112, 3.2.2) is reduced to its path. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return local.startsWith('/') ? local : `/${local}`;
}

/** The path that a target of any form means, decoded. It ends at a fragment, as in Fastify's router. */
export function pathOf(target: string): string {
  return decodePath(splitTarget(originForm(target)).path.split('#', 1)[0] as string);
}

/**
 * A path with percent-encoded letters decoded: `/%61pi` is `/api`. Encoded delimiters, such as a slash, stay encoded.
 */
export function decodePath(path: string): string {
  try {
    return path.includes('%') ? decodeURI(path) : path;
  } catch {
    return path;
  }
}

function decodeComponent(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
