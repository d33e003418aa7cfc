/** What is sent in addition to the address. */
type CurlOptions = { readonly headers?: Readonly<Record<string, string>>; readonly body?: object };

/** A shell command that fetches an address, or posts JSON to it; quoted, so that `&` and `?` reach the service. */
export function curlCommand(address: string, { headers = {}, body }: CurlOptions = {}): string {
  const sent = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
  return [
    `curl '${address.replaceAll("'", '%27')}'`,
    ...Object.entries(sent).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", '\\u0027')}'`]),
  ].join(' ');
}
