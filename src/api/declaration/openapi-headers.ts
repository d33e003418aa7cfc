/** The headers of answers as OpenAPI describes them: which ones depends on who may read the answer and who may keep it. */
import { CORS_HEADERS, LICENCE_LINK } from '../response/answer.ts';
import type { Endpoint } from './endpoint.ts';

const header = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });
const always = (description: string, example: string) => ({ ...header(description, example), required: true });
const whole = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

export const HEADERS = {
  CacheControl: always('How long the answer may be kept.', 'no-store'),
  License: always('The licence of the data.', LICENCE_LINK),
  AllowOrigin: header('Readable from a page of any origin.', '*'),
  ExposeHeaders: header('What such a page may read besides the body.', CORS_HEADERS.at(-1) as string),
  Vary: always('The answer is coded as the client accepts.', 'Accept-Encoding'),
  Allow: always('The methods that the path takes.', 'GET, HEAD, OPTIONS'),
  RetryAfter: { ...whole('Seconds until a request may be accepted again.', 30), required: true },
  RetryAfterIfKnown: whole('Seconds until a request may be accepted again, where that is known.', 30),
  RateLimit: whole('The monthly quota of the key that was sent; with a valid key only.', 10_000),
  RateRemaining: whole('What is left of it this month; with a valid key only.', 9_874),
  RateReset: whole('When it begins anew, Unix time in seconds; with a valid key only.', 1_798_761_600),
};

export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** `Cache-Control` where it is another than `no-store`. */
export const cacheControl = (value: string) => always(HEADERS.CacheControl.description, value);

const ALL = { 'Cache-Control': headerRef('CacheControl'), Link: headerRef('License'), Vary: headerRef('Vary') };
const FOR_PAGES = {
  'Access-Control-Allow-Origin': headerRef('AllowOrigin'),
  'Access-Control-Expose-Headers': headerRef('ExposeHeaders'),
};
const OF_A_KEY = {
  'X-RateLimit-Limit': headerRef('RateLimit'),
  'X-RateLimit-Remaining': headerRef('RateRemaining'),
  'X-RateLimit-Reset': headerRef('RateReset'),
};

/** What the answers of some endpoints have in common. */
export type Kind = {
  /** Behind the names of shared answers, to tell those of one kind from another's. */
  readonly suffix: '' | 'Private' | 'Cacheable';
  readonly headers: Readonly<Record<string, object>>;
};

/** Readable by any page, for one client. */
export const PUBLIC: Kind = { suffix: '', headers: { ...ALL, ...FOR_PAGES, ...OF_A_KEY } };
const PRIVATE: Kind = { suffix: 'Private', headers: { ...ALL, ...OF_A_KEY } };
/** The same for everybody, so that a shared cache may keep it. Decision 2. */
const CACHEABLE: Kind = { suffix: 'Cacheable', headers: { ...ALL, ...FOR_PAGES } };

/** Of which kind the answers of an endpoint are. */
export function kindOf({ cors, cacheable }: Pick<Endpoint, 'cors' | 'cacheable'>): Kind {
  if (!cors) return PRIVATE;
  return cacheable ? CACHEABLE : PUBLIC;
}
