/** An answer as a value; each request path writes it in its own way. */
import type { ServerResponse } from 'node:http';
import { LICENCE } from '../../domain/service-identity.ts';
import type { Body } from '../encoding/body.ts';
import type { RefusalKind } from './refusal-kinds.ts';

/** Header names and values, alternating. */
export type HeaderList = readonly string[];

/** Lets an answer be repeated for the same request of the same client. */
export type Repeatable = {
  /** The answer is the same until then, by `performance.now()`. */
  readonly until: number;
  /** The answer after that; `null` = not known without asking. */
  readonly next: () => Answer | null;
};

/** An answer that is written bit by bit after its head. */
export type AnswerStream = {
  readonly start: (response: ServerResponse) => void;
  /** In place of `start` when nothing is to be written: HEAD. */
  readonly cancel: () => void;
};

export type Answer = {
  readonly status: number;
  readonly headers: HeaderList;
  /** Headers of this one answer, after those that it shares with others. */
  readonly extraHeaders?: HeaderList;
  /** `null` = the status has no body (204). */
  readonly body: Body | null;
  readonly repeatable?: Repeatable;
  /** Why a limit refused the request, for metrics. */
  readonly refusal?: RefusalKind | undefined;
  /** In place of a body. Only through Fastify: the endpoint is declared `streams`. */
  readonly stream?: AnswerStream;
};

export const LICENCE_LINK = `<${LICENCE.url}>; rel="license"`;
const EXPOSED_HEADERS = 'Link, Pompa-Total, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';

/** Lets pages of any origin read the answer. Rule 16: on every GET, errors included, on no POST. */
export const CORS_HEADERS: HeaderList = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS,
];

/** The headers of every API answer, with or without a body. */
export const LICENCE_AND_NOSNIFF_HEADERS: HeaderList = ['Link', LICENCE_LINK, 'X-Content-Type-Options', 'nosniff'];

/** The headers of a JSON answer that pages of any origin may read. */
export function jsonHeaders(cacheControl = 'no-store'): HeaderList {
  return publicHeaders('application/json; charset=utf-8', cacheControl);
}

/** The headers of an answer that pages of any origin may read. */
export function publicHeaders(contentType: string, cacheControl = 'no-store'): HeaderList {
  return [
    'Content-Type',
    contentType,
    'Cache-Control',
    cacheControl,
    'Vary',
    'Accept-Encoding',
    ...LICENCE_AND_NOSNIFF_HEADERS,
    ...CORS_HEADERS,
  ];
}

/** The headers of a JSON answer that pages of any origin may read and no cache may store: GET, refusals included. */
export const PUBLIC_JSON_HEADERS: HeaderList = jsonHeaders();
/** The same for an answer without a body, such as 304. */
export const BODILESS_PUBLIC_HEADERS: HeaderList = PUBLIC_JSON_HEADERS.slice(2);

/** The same for an answer that only pages of our own origin may read: POST, and the account of a key. */
export const SAME_ORIGIN_JSON_HEADERS: HeaderList = PUBLIC_JSON_HEADERS.slice(
  0,
  PUBLIC_JSON_HEADERS.length - CORS_HEADERS.length,
);

/** A 200 with a body that the contract describes. */
export function ok(body: Body, headers: HeaderList = PUBLIC_JSON_HEADERS): Answer {
  return { status: 200, headers, body };
}
