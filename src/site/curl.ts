/** A shell line that fetches an address; quoted, so that `&` and `?` reach the service. */
export function curl(address: string): string {
  return `curl '${address.replaceAll("'", '%27')}'`;
}
