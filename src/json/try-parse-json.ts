/** Parses untrusted JSON without exceptions. */

import { type JsonLimits, jsonExcess } from './json-limits.ts';

const BYTE_ORDER_MARK = /^\uFEFF/;

/** The value in the text; `undefined` = invalid JSON, or beyond the limits. */
export function tryParseJson(text: string, limits: JsonLimits | null = null): unknown {
  if (limits !== null && jsonExcess(text, limits) !== null) return undefined;
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

/** The value in the bytes, which must be UTF-8; `undefined` = invalid JSON, or beyond the limits. */
export function tryParseJsonBytes(bytes: Uint8Array, limits: JsonLimits | null = null): unknown {
  try {
    return tryParseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), limits);
  } catch {
    return undefined;
  }
}
