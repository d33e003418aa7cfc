/** Cookies as browsers send them. Source: RFC 6265, 4.2. */

/** The value of a cookie; `undefined` = it was not sent, or twice. */
export function cookieValue(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
