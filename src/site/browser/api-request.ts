/** Requests that a reader of the documentation sends to the API: made from the values of a form, and shown as text. */

/** A value as it was typed; empty = not sent. */
export type TypedValue = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  /** As JSON Schema names it, such as `number`. */
  readonly type: string;
  readonly value: string;
};

export type ApiRequest = {
  readonly method: string;
  /** Path and query: the page's own origin answers. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

type ApiEndpoint = { readonly method: string /** As in `/api/v1/judete/{judet}`. */; readonly path: string };

/** The longest body that is shown, in characters: a browser lays it out at once. */
export const MOST_SHOWN = 20_000;

/** The header of the API for keys. */
const KEY_HEADER = 'X-Api-Key';
/** Numbers as JSON writes them; other texts are sent as they are, for the service to refuse. */
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const SHOWN_HEADERS = /^(x-ratelimit-.*|retry-after)$/;

/** The request to an endpoint with some values; an empty key is not sent. */
export function apiRequest({ method, path }: ApiEndpoint, values: readonly TypedValue[], key: string): ApiRequest {
  const sent = values.filter(({ value }) => value !== '');
  const query = sent
    .filter((each) => each.in === 'query')
    .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(sent.find((each) => each.in === 'path' && each.name === name)?.value ?? ''),
  );
  const posted = sent.filter((each) => each.in === 'body');
  return {
    method,
    target: query === '' ? filled : `${filled}?${query}`,
    headers: {
      ...(key.trim() !== '' && { [KEY_HEADER]: key.trim() }),
      ...(method === 'POST' && { 'Content-Type': 'application/json' }),
    },
    ...(method === 'POST' && {
      body: JSON.stringify(Object.fromEntries(posted.map((each) => [each.name, jsonValue(each)]))),
    }),
  };
}

function jsonValue({ type, value }: TypedValue): string | number {
  return (type === 'number' || type === 'integer') && JSON_NUMBER.test(value) ? Number(value) : value;
}

/** What is shown of an answer besides its body: its status, how long it took, its size, and the headers on limits. */
export function answerHead(
  { status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>,
  { ms, bytes }: { readonly ms: number; readonly bytes: number },
): string {
  const limits = [...headers].filter(([name]) => SHOWN_HEADERS.test(name)).map(([name, value]) => `${name}: ${value}`);
  const size = bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
  return [`${`${status} ${statusText}`.trim()} · ${Math.round(ms)} ms · ${size}`, ...limits].join('\n');
}

/** The start of a body, on lines of its own if it is JSON, and whether there is more of it. */
export function readableBody(text: string): { readonly text: string; readonly isShortened: boolean } {
  const pretty = indented(text);
  if (pretty.length <= MOST_SHOWN) return { text: pretty, isShortened: false };
  const lastLine = pretty.lastIndexOf('\n', MOST_SHOWN);
  return { text: pretty.slice(0, lastLine > 0 ? lastLine : MOST_SHOWN), isShortened: true };
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
