/** The header by which a client says what answer it prefers. Source: RFC 7240, 2. */

const PREFERENCE =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^_`|~0-9A-Za-z-]+)))?/g;

/**
 * The preferences by name in lower case, `''` = without a value. The first of a name counts. The parameters of a
 * preference are taken for preferences of their own, so that `code=429; example=weekly` means the same with a comma.
 */
export function parsePreferences(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PREFERENCE)) {
    const key = name.toLowerCase();
    if (!preferences.has(key)) preferences.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token);
  }
  return preferences;
}
