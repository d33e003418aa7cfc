/** A shell line that fetches an address, or posts JSON to it; quoted, so that `&` and `?` reach the service. */
export function curl(address: string, posted?: object): string {
  const line = `curl '${address.replaceAll("'", '%27')}'`;
  if (posted === undefined) return line;
  return `${line} -H 'Content-Type: application/json' -d '${JSON.stringify(posted).replaceAll("'", '\\u0027')}'`;
}
