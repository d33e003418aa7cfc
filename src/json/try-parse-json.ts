/** Parses untrusted JSON without exceptions. */

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The value in the text; `undefined` = invalid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value in a text file, which may begin with a byte order mark; `undefined` = invalid JSON. */
export function tryParseJsonFile(text: string): unknown {
  return tryParseJson(text.replace(BYTE_ORDER_MARK, ''));
}

/** The value in the bytes, which must be UTF-8; `undefined` = invalid JSON. */
export function tryParseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return tryParseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
