/** Turns an operation and its input into a request. */

/** How an operation is requested; the generated methods have one each. */
export interface Operation {
  readonly method: string;
  /** With `{names}` of fields of the input. */
  readonly path: string;
  /** Whether the rest of the input is a JSON body; otherwise it is the query. */
  readonly hasBody: boolean;
  /** Statuses whose body is the answer. */
  readonly answers: readonly number[];
}

type BuiltRequest = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

/** Fields that are `undefined` or `null` are not sent. Throws `TypeError` for a value that no path can hold. */
export function buildRequest(
  baseUrl: string,
  { method, path, hasBody }: Operation,
  input: Readonly<Record<string, unknown>>,
): BuiltRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined && value !== null));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segment = pathSegment(name, rest.get(name));
    rest.delete(name);
    return segment;
  });
  const url = new URL(baseUrl + filled);
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (!hasBody) {
    for (const [name, value] of rest) url.searchParams.set(name, String(value));
    return { url, method, headers };
  }
  headers['Content-Type'] = 'application/json';
  return { url, method, headers, body: JSON.stringify(Object.fromEntries(rest)) };
}

/** `.` and `..` would climb to another path, encoded or not, and an empty one would name another. */
function pathSegment(name: string, value: unknown): string {
  const text = String(value ?? '');
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} must name something, not "${text}"`);
  return encodeURIComponent(text);
}
