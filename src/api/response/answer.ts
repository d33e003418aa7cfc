/** What goes back to a client, as a value: each request path writes it in its own way. */
import { LICENCE } from '../../domain/access/plans.ts';
import type { Body } from '../encoding/body.ts';

/** Header names and values in turn. */
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
