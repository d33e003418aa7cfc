/** Resources outside the API: pages, logos, scripts. The site supplies them; the API only sends them. */
import { hash } from 'node:crypto';
import type { BillingView } from '../../domain/billing/billing-view.ts';
import type { ReportOutcome } from '../../domain/driver-report.ts';
import type { Fuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import type { ReviewOutcome } from '../../domain/review.ts';
import { MESSAGES, NOT_FOUND_PAGE } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import type { Caller } from '../request/caller.ts';
import type { Answer } from './answer.ts';
import { matchesTag } from './entity-tag.ts';
import { wholeSeconds } from './refusals.ts';

/** What the API needs of a page to send it. */
export type SitePage = {
  readonly status: number;
  readonly contentType: string;
  /** A page that keeps its buffer is compressed only once. */
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it answers one request only, so that compressing it well is not worth it. */
  readonly singleUse?: boolean;
  /** Whether other sites may show it in a frame; its own policy says what may be in it. */
  readonly isFramed?: boolean;
};

/** Who reads a page; `gone` is aborted once the connection is closed. */
type PageReader = Caller & { readonly gone?: AbortSignal };

/** The page at a path, or the page that says there is none (404); `undefined` = there is no site. */
export type SitePageLookup = ((
  path: string,
  query: URLSearchParams,
  reader: PageReader,
) => SitePage | undefined | Promise<SitePage | undefined>) & {
  /** The page after a review was posted; without it, pages post none. */
  readonly reviewOutcome?: ReviewOutcomePage;
  /** Likewise after a driver's report. */
  readonly reportOutcome?: ReportOutcomePage;
  /** A page of selling; without it, nothing is sold here. */
  readonly billingPage?: BillingPage;
  /** The page at a path without a query, if it is rendered already. */
  readonly cached?: (path: string) => SitePage | undefined;
  /** The page for a client that has read too many; status 429. */
  readonly tooManyRequests?: (path: string) => SitePage;
};

/** @param posted `slug` is what the form sent as the station's; `''` = nothing. */
type ReviewOutcomePage = (posted: {
  readonly outcome: ReviewOutcome;
  readonly language: Language;
  readonly slug: string;
}) => SitePage;

/** @param posted `slug` is the part of the path that names the station; `fuel`, that of an invalid price. */
type ReportOutcomePage = (posted: {
  readonly outcome: ReportOutcome;
  readonly fuel: Fuel | null;
  readonly language: Language;
  readonly slug: string;
}) => SitePage;

/** The page that shows a view of selling. */
export type BillingPage = (view: BillingView) => SitePage;

const COMPRESSIBLE_TYPE = /^(text\/|image\/svg|application\/(json|javascript|manifest\+json|xml|geo\+json))/;
const NOT_FOUND: SitePage = {
  status: 404,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(NOT_FOUND_PAGE),
};

const TOO_MANY_REQUESTS: SitePage = {
  status: 429,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(`${MESSAGES.pagesLimited}\n`),
};

/** What every HTML page has, the 404 page included, unless its site says otherwise: it loads and frames nothing. */
const HTML_HEADERS: NonNullable<SitePage['headers']> = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

const { 'X-Frame-Options': _, ...FRAMED_HTML_HEADERS } = HTML_HEADERS;

const bodies = new WeakMap<Buffer, Body>();
const answers = new WeakMap<SitePage, Answer>();
const notModifiedAnswers = new WeakMap<Answer, Answer>();

/** The answer with a page, or the 404 page; without the body if the client has it already. */
export function pageAnswer(page: SitePage = NOT_FOUND, ifNoneMatch?: string): Answer {
  const answer = answers.get(page) ?? wholePageAnswer(page);
  answers.set(page, answer);
  if (ifNoneMatch === undefined || !matches(ifNoneMatch, answer)) return answer;
  const notModified = notModifiedAnswers.get(answer) ?? withoutBody(answer);
  notModifiedAnswers.set(answer, notModified);
  return notModified;
}

/** Refuses a client that has read too many pages; the next one is accepted after `waitMs`. */
export function tooManyPagesAnswer({ tooManyRequests }: SitePageLookup, path: string, waitMs: number): Answer {
  const answer = pageAnswer(tooManyRequests?.(path) ?? TOO_MANY_REQUESTS);
  return { ...answer, extraHeaders: ['Retry-After', String(wholeSeconds(waitMs))] };
}

function wholePageAnswer(page: SitePage): Answer {
  const compressible = COMPRESSIBLE_TYPE.test(page.contentType);
  const headers = ['Content-Type', page.contentType, 'X-Content-Type-Options', 'nosniff'];
  if (compressible) headers.push('Vary', 'Accept-Encoding');
  const usual = page.isFramed === true ? FRAMED_HTML_HEADERS : HTML_HEADERS;
  const own = page.contentType.startsWith('text/html') ? { ...usual, ...page.headers } : page.headers;
  headers.push(...Object.entries(own ?? {}).flat());
  if (page.status === 200) headers.push(ETAG, entityTag(page.body));
  return { status: page.status, headers, body: bodyOf(page, compressible) };
}

const ETAG = 'ETag';
/** Enough of the hash that no two contents share it. */
const TAG_LENGTH = 16;

/** Weak, because it is the same in every content coding. */
function entityTag(bytes: Buffer): string {
  return `W/"${hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)}"`;
}

function matches(ifNoneMatch: string, { headers }: Answer): boolean {
  const at = headers.indexOf(ETAG);
  return at !== -1 && matchesTag(ifNoneMatch, headers[at + 1] as string);
}

function withoutBody({ headers }: Answer): Answer {
  return { status: 304, headers: headers.slice(headers.indexOf('Content-Type') + 2), body: null };
}

function bodyOf({ body: bytes, singleUse = false }: SitePage, coded: boolean): Body {
  if (singleUse && coded) return Body.singleUse(bytes.toString());
  const known = bodies.get(bytes);
  if (known) return known;
  const body = coded ? Body.shared(bytes) : Body.uncompressed(bytes);
  bodies.set(bytes, body);
  return body;
}
