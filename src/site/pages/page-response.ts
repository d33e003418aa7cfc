/** What the site sends for a page, and for an address that leads to another one. */
import type { Page, SiteResponse } from '../frame/page.ts';
import { contentSecurityPolicy } from '../frame/page-document.ts';

/** The response with a page whose document is this text. */
export function pageResponse(page: Page, text: string): SiteResponse {
  return {
    status: page.status ?? 200,
    contentType: 'text/html; charset=utf-8',
    body: Buffer.from(text),
    headers: pageHeaders(page),
  };
}

/** Whether other visitors may get the same response. */
export function isCacheable({ isPrivate = false, isCacheable = true }: Page): boolean {
  return isCacheable && !isPrivate;
}

function pageHeaders(page: Page): Record<string, string> {
  return {
    'Cache-Control': page.isPrivate === true ? 'no-store' : 'no-cache',
    'Content-Language': page.language,
    'Content-Security-Policy': contentSecurityPolicy(page),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': page.hasForm === true ? 'same-origin' : 'no-referrer',
    ...(page.retryAfterSeconds !== undefined && { 'Retry-After': String(page.retryAfterSeconds) }),
  };
}

/** Leads to an address of this site for good. */
export function redirectTo(address: string): SiteResponse {
  return {
    status: 301,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`${address}\n`),
    headers: { Location: address, 'Cache-Control': 'public, max-age=3600' },
  };
}

/** Longer ones are no addresses of ours, and proxies refuse answers with long headers. */
const MAX_ADDRESS_LENGTH = 2_000;

/** The address of a decoded path with a query, if there is one, as a header may have it; `null` = it is too long. */
export function targetOf(path: string, query: URLSearchParams): string | null {
  // What is still encoded, such as a slash, stays so.
  const encoded = encodeURI(path).replaceAll('%25', '%');
  const address = query.size === 0 ? encoded : `${encoded}?${query}`;
  return address.length > MAX_ADDRESS_LENGTH ? null : address;
}

/** The same for a reader who may try again in a moment. */
export function retryLater(response: SiteResponse): SiteResponse {
  return { ...response, headers: { ...response.headers, 'Retry-After': '10' } };
}
