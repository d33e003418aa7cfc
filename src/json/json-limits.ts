/**
 * Bounds what parsing an untrusted JSON text costs, before it is parsed: 5 MB of `{},` or of names take seconds and
 * gigabytes, and deep nesting overflows the stack of code that reads the value later.
 */

export type JsonLimits = {
  /** Lists and objects within each other. */
  readonly depth: number;
  /** Opening brackets and commas, so at least the number of values. */
  readonly tokens: number;
  /** Members of objects, which cost the most. */
  readonly members: number;
};

/** The limit that a text exceeds. */
export type JsonExcess = keyof JsonLimits;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The first limit that the text exceeds; `null` = none. One pass without allocations; ignores the contents of strings.
 */
export function jsonExcess(text: string, limits: JsonLimits): JsonExcess | null {
  let [depth, tokens, members] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      tokens += 1;
      if (depth > limits.depth) return 'depth';
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth -= 1;
    } else if (code === COMMA) {
      tokens += 1;
    } else if (code === COLON) {
      members += 1;
    }
    if (tokens > limits.tokens) return 'tokens';
    if (members > limits.members) return 'members';
  }
  return null;
}

/** The index of the quote that ends the string begun at `start`; the last index if it does not end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
