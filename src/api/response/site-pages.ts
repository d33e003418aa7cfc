/** Resources outside the API: pages, logos, scripts. The site supplies them; the API only sends them. */

import { NOT_FOUND_PAGE } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import type { Answer } from './answer.ts';

export type PageResponse = {
  readonly status: number;
  readonly contentType: string;
  /** A page that keeps its buffer is compressed only once. */
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The page at a path; `undefined` = there is none. */
export type SiteHandler = (
  path: string,
  query: URLSearchParams,
  acceptLanguage: string | undefined,
) => PageResponse | undefined | Promise<PageResponse | undefined>;

const COMPRESSIBLE_TYPE = /^(text\/|image\/svg|application\/(json|javascript|manifest\+json|xml|geo\+json))/;
const NOT_FOUND: PageResponse = {
  status: 404,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(NOT_FOUND_PAGE),
};

const bodies = new WeakMap<Buffer, Body>();

/** The answer with a page, or the 404 page. */
export function pageAnswer(page: PageResponse = NOT_FOUND): Answer {
  const compressible = COMPRESSIBLE_TYPE.test(page.contentType);
  const headers = ['Content-Type', page.contentType, 'X-Content-Type-Options', 'nosniff'];
  if (compressible) headers.push('Vary', 'Accept-Encoding');
  headers.push(...Object.entries(page.headers ?? {}).flat());
  return { status: page.status, headers, body: bodyOf(page.body, compressible) };
}

function bodyOf(bytes: Buffer, coded: boolean): Body {
  const known = bodies.get(bytes);
  if (known) return known;
  const body = coded ? Body.shared(bytes) : Body.uncompressed(bytes);
  bodies.set(bytes, body);
  return body;
}
