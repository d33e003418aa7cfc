/** The response headers that OpenAPI describes: they depend on who may read the answer and who may cache it. */
import { CORS_HEADERS, LICENCE_LINK } from '../response/answer.ts';
import type { Endpoint } from './endpoint.ts';

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const requiredHeader = (description: string, example: string) => ({ ...header(description, example), required: true });
const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

export const HEADERS = {
  CacheControl: requiredHeader('How long the answer may be cached.', 'no-store'),
  License: requiredHeader('The licence of the data.', LICENCE_LINK),
  AllowOrigin: header('Pages of any origin may read the answer.', '*'),
  ExposeHeaders: header('The headers that such a page may read.', CORS_HEADERS.at(-1) as string),
  Vary: requiredHeader('The content coding depends on what the client accepts.', 'Accept-Encoding'),
  Allow: requiredHeader('The methods that the path supports.', 'GET, HEAD, OPTIONS'),
  RetryAfter: { ...integerHeader('Seconds until a request may be accepted again.', 30), required: true },
  RetryAfterIfKnown: integerHeader('Seconds until a request may be accepted again, if known.', 30),
  RateLimit: integerHeader('The monthly quota of the key; only with a valid key.', 10_000),
  RateRemaining: integerHeader('What is left of the quota this month; only with a valid key.', 9_874),
  RateReset: integerHeader('When the quota resets, Unix time in seconds; only with a valid key.', 1_798_761_600),
};

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** `Cache-Control` if it differs from `no-store`. */
export const cacheControl = (value: string) => requiredHeader(HEADERS.CacheControl.description, value);

const COMMON_HEADER_REFS = {
  'Cache-Control': headerRef('CacheControl'),
  Link: headerRef('License'),
  Vary: headerRef('Vary'),
};
const CORS_HEADER_REFS = {
  'Access-Control-Allow-Origin': headerRef('AllowOrigin'),
  'Access-Control-Expose-Headers': headerRef('ExposeHeaders'),
};
const KEY_HEADER_REFS = {
  'X-RateLimit-Limit': headerRef('RateLimit'),
  'X-RateLimit-Remaining': headerRef('RateRemaining'),
  'X-RateLimit-Reset': headerRef('RateReset'),
};

/** What the answers of some endpoints have in common. */
export type ResponseKind = {
  /** Appended to the names of shared answers, so that each kind has its own. */
  readonly suffix: '' | 'Private' | 'Cacheable';
  readonly headers: Readonly<Record<string, object>>;
};

/** Readable by any page, made for one client. */
export const PUBLIC_RESPONSE: ResponseKind = {
  suffix: '',
  headers: { ...COMMON_HEADER_REFS, ...CORS_HEADER_REFS, ...KEY_HEADER_REFS },
};
const PRIVATE_RESPONSE: ResponseKind = { suffix: 'Private', headers: { ...COMMON_HEADER_REFS, ...KEY_HEADER_REFS } };
/** The same for all clients, so that shared caches may store it. Rule 2. */
const CACHEABLE_RESPONSE: ResponseKind = {
  suffix: 'Cacheable',
  headers: { ...COMMON_HEADER_REFS, ...CORS_HEADER_REFS },
};

/** Which kind the answers of an endpoint are. */
export function responseKind({ cors, cacheable }: Pick<Endpoint, 'cors' | 'cacheable'>): ResponseKind {
  if (!cors) return PRIVATE_RESPONSE;
  return cacheable ? CACHEABLE_RESPONSE : PUBLIC_RESPONSE;
}
