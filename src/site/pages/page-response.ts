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
  };
}

/** Leads to a path for good. */
export function redirectTo(path: string): SiteResponse {
  return {
    status: 301,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(`${path}\n`),
    headers: { Location: path, 'Cache-Control': 'public, max-age=3600' },
  };
}

/** A path with a query, if there is one. */
export function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query}`;
}
