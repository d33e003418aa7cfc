/** What is sent in addition to the address. */
type CurlOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** By default as curl chooses: POST with a body, else GET. */
  readonly method?: string;
};

/** A shell command that fetches an address, or sends JSON to it; quoted, so that `&` and `?` reach the service. */
export function curlCommand(address: string, { headers = {}, body, method }: CurlOptions = {}): string {
  const sent = body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
  return [
    method === undefined || method === (body === undefined ? 'GET' : 'POST') ? 'curl' : `curl -X ${method}`,
    `'${address.replaceAll("'", '%27')}'`,
    ...Object.entries(sent).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", '\\u0027')}'`]),
  ].join(' ');
}
