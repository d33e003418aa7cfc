/** A shell line that fetches an address, or posts JSON to it; quoted, so that `&` and `?` reach the service. */
export function curlCommand(address: string, body?: object): string {
  const line = `curl '${address.replaceAll("'", '%27')}'`;
  if (body === undefined) return line;
  return `${line} -H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", '\\u0027')}'`;
}
