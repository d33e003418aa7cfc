/** What goes back to a client, and the one place that writes it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LICENCE } from '../../domain/access/plans.ts';
import type { Body, Bytes } from '../encoding/body.ts';
import { type Encoding, negotiate } from '../encoding/negotiation.ts';

/** Header names and values in turn, as `writeHead` takes them at the least cost. */
export type HeaderList = readonly string[];

/** What holds for the same request of the same client. */
export type Repeatable = {
  /** Until then, by `performance.now()`, it has this very answer. */
  readonly until: number;
  /** The answer after that, as far as it is known without asking. */
  readonly next: () => Answer | null;
};

export type Answer = {
  readonly status: number;
  readonly headers: HeaderList;
  /** Headers of this one answer, behind those that it shares with others. */
  readonly extraHeaders?: HeaderList;
  /** `null` = an answer that has no body by its nature (204). */
  readonly body: Body | null;
  readonly repeatable?: Repeatable;
};

export const LICENCE_LINK = `<${LICENCE.url}>; rel="license"`;
const EXPOSED_HEADERS = 'Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

/** Readable from a page of any origin. Rule 16: on every GET, errors included, on no POST. */
export const CORS_HEADERS: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS,
];

/** The headers of every API answer, with or without a body. */
export const COMMON_HEADERS: HeaderList = ['Link', LICENCE_LINK, 'X-Content-Type-Options', 'nosniff'];

/** The headers of a JSON answer of the API that any page may read. */
export function jsonHeaders(cacheControl = 'no-store'): HeaderList {
  return [
    'Content-Type',
    'application/json; charset=utf-8',
    'Cache-Control',
    cacheControl,
    'Vary',
    'Accept-Encoding',
    ...COMMON_HEADERS,
    ...CORS_HEADERS,
  ];
}

/** Of every 200 answer under `/api/v1`. */
export const API_HEADERS: HeaderList = jsonHeaders();

/** The same for an answer that no page of another origin may read. */
export const PRIVATE_HEADERS: HeaderList = API_HEADERS.slice(0, API_HEADERS.length - CORS_HEADERS.length);

/** The whole header list of one coded form of a body. */
export function withContentHeaders(headers: HeaderList, encoding: Encoding, length: number): string[] {
  const list = [...headers, 'Content-Length', String(length)];
  if (encoding !== 'identity') list.push('Content-Encoding', encoding);
  return list;
}

/** Up to this many bytes Node writes head and body as one string at less cost than as two buffers (measured). */
export const SMALL_RESPONSE_BYTES = 4_096;

/** The bytes in the form that goes out at the least cost. */
export function cheapestForm(bytes: Bytes): Bytes {
  return typeof bytes !== 'string' && bytes.length <= SMALL_RESPONSE_BYTES ? bytes.toString('latin1') : bytes;
}

/** Ends a response whose head is written; one to HEAD has no body. */
export function endResponse({ method }: IncomingMessage, response: ServerResponse, bytes: Bytes): void {
  if (method === 'HEAD') response.end();
  else response.end(bytes, 'latin1');
}

/** Sends an answer in the coding the client wants; a HEAD request gets all of it but the body. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
): undefined | Promise<undefined> {
  const { status, body, extraHeaders } = answer;
  const headers = extraHeaders === undefined ? answer.headers : [...answer.headers, ...extraHeaders];
  if (body === null) {
    response.writeHead(status, [...headers]).end();
    return undefined;
  }
  const encoding = body.chooseEncoding(negotiate(request.headers['accept-encoding'] as string | undefined));
  const write = (bytes: Bytes): undefined => {
    response.writeHead(status, withContentHeaders(headers, encoding, bytes.length));
    endResponse(request, response, cheapestForm(bytes));
  };
  const bytes = body.encoded(encoding);
  return bytes instanceof Promise ? bytes.then(write) : write(bytes);
}
