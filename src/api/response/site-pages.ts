/** What is served outside the API: pages, logos, scripts. The site hands them in; the API only sends them. */

import { PAGE_UNKNOWN } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import type { Answer } from './answer.ts';

export type SitePage = {
  readonly status: number;
  readonly contentType: string;
  /** The same buffer for the same page is coded only once. */
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The page at a path; `undefined` = there is none. */
export type SiteHook = (
  path: string,
  query: URLSearchParams,
  acceptLanguage: string | undefined,
) => SitePage | undefined | Promise<SitePage | undefined>;

const TEXTUAL = /^(text\/|image\/svg|application\/(json|javascript|manifest\+json|xml|geo\+json))/;
const NOT_FOUND: SitePage = { status: 404, contentType: 'text/html; charset=utf-8', body: Buffer.from(PAGE_UNKNOWN) };

const bodies = new WeakMap<Buffer, Body>();

/** The answer that carries a page, or the 404 page. */
export function pageAnswer(page: SitePage = NOT_FOUND): Answer {
  const coded = TEXTUAL.test(page.contentType);
  const headers = ['Content-Type', page.contentType, 'X-Content-Type-Options', 'nosniff'];
  if (coded) headers.push('Vary', 'Accept-Encoding');
  headers.push(...Object.entries(page.headers ?? {}).flat());
  return { status: page.status, headers, body: bodyOf(page.body, coded) };
}

function bodyOf(bytes: Buffer, coded: boolean): Body {
  const known = bodies.get(bytes);
  if (known) return known;
  const body = coded ? Body.kept(bytes) : Body.uncoded(bytes);
  bodies.set(bytes, body);
  return body;
}
