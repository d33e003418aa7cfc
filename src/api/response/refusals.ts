/**
 * Refusals by access control and limits. Source: API contract, "Errors"; texts and plan links have their own tables.
 */

import { WEEKLY_CAP_MS } from '../../domain/access/request-limits.ts';
import type { ClosedReason } from '../../domain/billing/standing.ts';
import { isoInstant } from '../../domain/days.ts';
import { BILLING_PATHS } from '../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import {
  CHANGES_MESSAGES,
  CHANGES_UNAVAILABLE_MESSAGES,
  KEY_UNVERIFIED_MESSAGES,
  MESSAGES,
  REVIEW_MESSAGES,
  WEBHOOKS_UNAVAILABLE_MESSAGES,
  WEEKLY_CAP_MESSAGES,
} from '../contract/messages.ts';
import { type Problem, problem } from './problem.ts';
import { nextMonthStart } from './rate-limit-headers.ts';
import type { RefusalKind } from './refusal-kinds.ts';

const refusal = (kind: RefusalKind, ...parts: Parameters<typeof problem>): Problem => ({ ...problem(...parts), kind });

/** An unknown or revoked key; no key where one is required. */
export const KEY_REFUSED: Problem = refusal('key_unknown', 401, MESSAGES.keyRefused);
/** A key whose subscription does not serve it at present: the message names the page where its holder mends that. */
export function keyClosed(reason: ClosedReason, publicUrl: string): Problem {
  return refusal('key_closed', 401, MESSAGES.keyClosed(reason, `${publicUrl}/cont`));
}
export const KEY_MISSING: Problem = refusal('key_missing', 401, MESSAGES.keyMissing);

/** Reviews: a text without a valid captcha token; the database is unreachable. Rule 40. */
export const CAPTCHA_FAILED: Problem = refusal('captcha', 403, REVIEW_MESSAGES.captcha);
export const REVIEWS_UNAVAILABLE: Problem = refusal('unavailable', 503, REVIEW_MESSAGES.unavailable);

/** A client requested too many challenges for reviews with text; it may request one after `waitMs`. Rule 40. */
export function challengesLimited(waitMs: number): Problem {
  return refusal('challenges', 429, REVIEW_MESSAGES.challengesLimited, ['Retry-After', String(wholeSeconds(waitMs))]);
}

/** A daily limit on reviews is reached; the next review is accepted after `waitMs`. Rule 39. */
export function reviewsLimited(waitMs: number): Problem {
  return refusal('submissions', 429, REVIEW_MESSAGES.limited, ['Retry-After', String(wholeSeconds(waitMs))]);
}

/** Seconds after which a client should retry when keys cannot be verified. */
const UNVERIFIED_RETRY_SECONDS = 30;

export const KEY_UNVERIFIABLE: Problem = {
  kind: 'key_unverifiable',
  status: 503,
  body: { status: 'error', ...KEY_UNVERIFIED_MESSAGES, retry_after_seconds: UNVERIFIED_RETRY_SECONDS },
  headers: ['Retry-After', String(UNVERIFIED_RETRY_SECONDS)],
};

/** Seconds after which an open request may have ended. */
const OPEN_REQUESTS_RETRY_SECONDS = 5;

/** Whole seconds, rounded up; at least one, so that no client retries too soon. */
export const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** The rate limit of a key is reached for another `waitMs`. */
export function keyRateExceeded(waitMs: number): Problem {
  const wait = wholeSeconds(waitMs);
  return {
    kind: 'key_rate',
    status: 429,
    body: { status: 'error', message: MESSAGES.keyRateExceeded(wait), retry_after_seconds: wait },
    headers: ['Retry-After', String(wait)],
  };
}

/** A key has as many requests or streams open as it may. */
export function openRequestsLimited(message: string): Problem {
  const headers = ['Retry-After', String(OPEN_REQUESTS_RETRY_SECONDS)];
  const body = { status: 'error', message, retry_after_seconds: OPEN_REQUESTS_RETRY_SECONDS };
  return { kind: 'open_requests', status: 429, body, headers };
}

/** The feed of changes has not been read yet, or as many clients wait for it as the process bears. */
export const CHANGES_UNAVAILABLE: Problem = {
  kind: 'unavailable',
  status: 503,
  body: { status: 'error', ...CHANGES_UNAVAILABLE_MESSAGES, retry_after_seconds: OPEN_REQUESTS_RETRY_SECONDS },
  headers: ['Retry-After', String(OPEN_REQUESTS_RETRY_SECONDS)],
};

/** The database of webhooks is unreachable. */
export const WEBHOOKS_UNAVAILABLE: Problem = {
  kind: 'unavailable',
  status: 503,
  body: { status: 'error', ...WEBHOOKS_UNAVAILABLE_MESSAGES, retry_after_seconds: UNVERIFIED_RETRY_SECONDS },
  headers: ['Retry-After', String(UNVERIFIED_RETRY_SECONDS)],
};

/** A key may change or test its webhooks again only after `waitMs`. */
export function webhookActionsLimited(message: string, waitMs: number): Problem {
  const wait = wholeSeconds(waitMs);
  return {
    kind: 'webhook_actions',
    status: 429,
    body: { status: 'error', message, retry_after_seconds: wait },
    headers: ['Retry-After', String(wait)],
  };
}

/** A cursor that the feed cannot go on from; `oldest` is the first one that it can. */
export function cursorGone(oldest: string): Problem {
  return { status: 410, body: { status: 'error', message: CHANGES_MESSAGES.cursorGone, reia_de_la: oldest } };
}

/** The month's quota, or the holder's own limit below it, is used up at the moment `now`, epoch ms. */
export function quotaExhausted(
  { quota, hasOwnCap }: { readonly quota: number; readonly hasOwnCap: boolean },
  now: number,
  publicUrl: string,
): Problem {
  return {
    kind: 'key_quota',
    status: 429,
    body: {
      status: 'error',
      message: hasOwnCap
        ? MESSAGES.ownCapReached(quota, `${publicUrl}${BILLING_PATHS.account.ro}`)
        : MESSAGES.quotaExhausted(quota),
      limit: quota,
      upgrade_url: `${publicUrl}${ROUTES.plans.ro}`,
    },
    headers: ['Retry-After', String(wholeSeconds(nextMonthStart(now) - now))],
  };
}

/** How long a refusal by the weekly cap stays identical, ms: it states whole seconds. */
export function capRefusalStableMs(acceptedAt: number, now: number): number {
  const left = acceptedAt + WEEKLY_CAP_MS - now;
  return left - (Math.ceil(left / 1000) - 1) * 1000;
}

/** The weekly cap refuses a request because of one accepted at `acceptedAt`; epoch ms. */
export function weeklyCapReached(acceptedAt: number, now: number, publicUrl: string): Problem {
  // Each is rounded up from the exact end: deriving one from the other would round twice, to more than 7 days.
  const next = Math.ceil((acceptedAt + WEEKLY_CAP_MS) / 1000) * 1000;
  const wait = wholeSeconds(acceptedAt + WEEKLY_CAP_MS - now);
  const plans = { ro: `${publicUrl}${ROUTES.plans.ro}`, en: `${publicUrl}${ROUTES.plans.en}` };
  return {
    kind: 'weekly_cap',
    status: 429,
    body: {
      status: 'error',
      message: WEEKLY_CAP_MESSAGES.message,
      message_en: WEEKLY_CAP_MESSAGES.message_en,
      next_allowed: isoInstant(next),
      retry_after_seconds: wait,
      upgrade_mesaj: WEEKLY_CAP_MESSAGES.upgrade_mesaj,
      upgrade_message: WEEKLY_CAP_MESSAGES.upgrade_message,
      upgrade_url: plans.ro,
      upgrade_url_en: plans.en,
    },
    headers: ['Retry-After', String(wait), 'Link', `<${plans.ro}>; rel="payment"`],
  };
}

/** The German source gave no answer. Rule 35. */
export const GERMAN_SOURCE_FAILED: Problem = refusal('german_source', 502, MESSAGES.germanSourceFailed);
/** The German channel has no key configured, or cannot check its budget. */
export const GERMAN_UNCONFIGURED: Problem = refusal('german_source', 503, MESSAGES.germanUnconfigured);
export const GERMAN_UNAVAILABLE: Problem = refusal('unavailable', 503, MESSAGES.germanUnavailable);

/** Our own call budget for the German source is used up for `waitMs`. */
export function germanBudgetExhausted(waitMs: number): Problem {
  const wait = wholeSeconds(waitMs);
  return refusal('german_budget', 503, MESSAGES.germanBudgetExhausted(wait), ['Retry-After', String(wait)]);
}

/** More than `limit` requests a minute from one address. */
export function minuteLimitExceeded(limit: number, waitMs: number): Problem {
  const wait = wholeSeconds(waitMs);
  return refusal('minute_limit', 429, MESSAGES.minuteLimitExceeded(limit), ['Retry-After', String(wait)]);
}
