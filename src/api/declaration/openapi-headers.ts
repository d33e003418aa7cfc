/** The headers of answers as OpenAPI describes them: which ones depends on who may read the answer and who may keep it. */
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
  CacheControl: requiredHeader('How long the answer may be kept.', 'no-store'),
  License: requiredHeader('The licence of the data.', LICENCE_LINK),
  AllowOrigin: header('Readable from a page of any origin.', '*'),
  ExposeHeaders: header('What such a page may read besides the body.', CORS_HEADERS.at(-1) as string),
  Vary: requiredHeader('The answer is coded as the client accepts.', 'Accept-Encoding'),
  Allow: requiredHeader('The methods that the path takes.', 'GET, HEAD, OPTIONS'),
  RetryAfter: { ...integerHeader('Seconds until a request may be accepted again.', 30), required: true },
  RetryAfterIfKnown: integerHeader('Seconds until a request may be accepted again, where that is known.', 30),
  RateLimit: integerHeader('The monthly quota of the key that was sent; with a valid key only.', 10_000),
  RateRemaining: integerHeader('What is left of it this month; with a valid key only.', 9_874),
  RateReset: integerHeader('When it begins anew, Unix time in seconds; with a valid key only.', 1_798_761_600),
};

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** `Cache-Control` where it is another than `no-store`. */
export const cacheControl = (value: string) => requiredHeader(HEADERS.CacheControl.description, value);

const COMMON_HEADERS = {
  'Cache-Control': headerRef('CacheControl'),
  Link: headerRef('License'),
  Vary: headerRef('Vary'),
};
const CORS_RESPONSE_HEADERS = {
  'Access-Control-Allow-Origin': headerRef('AllowOrigin'),
  'Access-Control-Expose-Headers': headerRef('ExposeHeaders'),
};
const KEY_HEADERS = {
  'X-RateLimit-Limit': headerRef('RateLimit'),
  'X-RateLimit-Remaining': headerRef('RateRemaining'),
  'X-RateLimit-Reset': headerRef('RateReset'),
};

/** What the answers of some endpoints have in common. */
export type ResponseKind = {
  /** Behind the names of shared answers, to tell those of one kind from another's. */
  readonly suffix: '' | 'Private' | 'Cacheable';
  readonly headers: Readonly<Record<string, object>>;
};

/** Readable by any page, for one client. */
export const PUBLIC_RESPONSE: ResponseKind = {
  suffix: '',
  headers: { ...COMMON_HEADERS, ...CORS_RESPONSE_HEADERS, ...KEY_HEADERS },
};
const PRIVATE_RESPONSE: ResponseKind = { suffix: 'Private', headers: { ...COMMON_HEADERS, ...KEY_HEADERS } };
/** The same for everybody, so that a shared cache may keep it. Rule 2. */
const CACHEABLE_RESPONSE: ResponseKind = {
  suffix: 'Cacheable',
  headers: { ...COMMON_HEADERS, ...CORS_RESPONSE_HEADERS },
};

/** Of which kind the answers of an endpoint are. */
export function responseKind({ cors, cacheable }: Pick<Endpoint, 'cors' | 'cacheable'>): ResponseKind {
  if (!cors) return PRIVATE_RESPONSE;
  return cacheable ? CACHEABLE_RESPONSE : PUBLIC_RESPONSE;
}
