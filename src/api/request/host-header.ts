/** The form of the `Host` header. Source: RFC 9112, 3.2, and RFC 3986, 3.2.2. */

/** A registered name or IPv4 address, or an IPv6 address in brackets; then a port. All parts may be empty. */
const HOST = /^(?:(?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*|\[[\da-f:.]+\]|\[v[\da-f]+\.[\w\-.~!$&'()*+,;=:]+\])(?::\d*)?$/i;

/** Whether the value of a `Host` header is a host and an optional port. */
export function isHost(value: string): boolean {
  return HOST.test(value);
}

/** How many `Host` headers a request has, and the first: Node keeps only that in `headers`. */
export function hostHeaders(rawHeaders: readonly string[]): { count: number; first: string | undefined } {
  let count = 0;
  let first: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'host') continue;
    first ??= rawHeaders[at + 1];
    count += 1;
  }
  return { count, first };
}
