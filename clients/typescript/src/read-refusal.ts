/** Tells refusals apart by status and structured fields, never by the text of their message. */
import {
  BadRequestError,
  CursorGoneError,
  ForbiddenError,
  KeyRefusedError,
  KeyUnverifiedError,
  MonthlyQuotaError,
  NotFoundError,
  type PompaError,
  RateLimitError,
  type Refusal,
  ServerError,
  UnavailableError,
  UnexpectedAnswerError,
  WeeklyCapError,
} from './errors.ts';
import type {
  CheieNeverificata,
  CotaConsumata,
  EroareTraseu,
  LimitaSaptamanala,
  PreaRepede,
} from './generated/models.ts';

type RefusalFields = LimitaSaptamanala & CotaConsumata & PreaRepede & CheieNeverificata & EroareTraseu;
/** Any of the fields; what a server sent, so none of the values is certain. */
type RefusalBody = { readonly [Field in keyof RefusalFields | 'reia_de_la']?: unknown };

/** Where a refusal has no `Retry-After`, which the contract promises. */
const DEFAULT_RETRY_SECONDS = 30;

/**
 * The error for an answer that is none of the documented ones.
 * @param body the JSON of the answer, `undefined` if it is not JSON
 * @param now epoch ms
 */
export function readRefusal(status: number, headers: Headers, body: unknown, now: number): PompaError {
  if (status < 400) {
    const target = headers.get('Location');
    return new UnexpectedAnswerError(
      target === null
        ? `the service answered with status ${status}, which this client does not expect`
        : `the service answered with a redirect to ${target}: set baseUrl to the address that answers by itself`,
    );
  }
  const fields: RefusalBody = typeof body === 'object' && body !== null ? body : {};
  const refusal = { message: messageOf(status, fields), status, body };
  if (status === 429) return readLimit(refusal, fields, headers, now);
  if (status === 503 && fields.retry_after_seconds !== undefined)
    return new KeyUnverifiedError(refusal, retryAfter(headers, fields) ?? DEFAULT_RETRY_SECONDS);
  if (status >= 502 && status <= 504) return new UnavailableError(refusal, retryAfter(headers, fields));
  if (status >= 500) return new ServerError(refusal);
  if (status === 410 && typeof fields.reia_de_la === 'string') return new CursorGoneError(refusal, fields.reia_de_la);
  if (status === 404 || status === 410) return new NotFoundError(refusal);
  if (status === 401) return new KeyRefusedError(refusal);
  return status === 403 ? new ForbiddenError(refusal) : new BadRequestError(refusal);
}

function readLimit(refusal: Refusal, fields: RefusalBody, headers: Headers, now: number): PompaError {
  const seconds = retryAfter(headers, fields) ?? DEFAULT_RETRY_SECONDS;
  const after = new Date(now + seconds * 1000);
  const plans = textOr(fields.upgrade_url, null);
  if (fields.next_allowed !== undefined)
    return new WeeklyCapError(refusal, dateOr(Date.parse(String(fields.next_allowed)), after), plans);
  if (fields.limit !== undefined) {
    const resets = dateOr(Number(headers.get('X-RateLimit-Reset') ?? Number.NaN) * 1000, after);
    return new MonthlyQuotaError(refusal, Number(fields.limit), resets, plans);
  }
  return new RateLimitError(refusal, seconds, fields.retry_after_seconds === undefined ? 'endpoint' : 'key');
}

function messageOf(status: number, { message_en, message, msg }: RefusalBody): string {
  return `${status}: ${textOr(message_en, null) ?? textOr(message, null) ?? textOr(msg, 'no explanation')}`;
}

/** In whole seconds; `null` where neither header nor body say. */
function retryAfter(headers: Headers, { retry_after_seconds }: RefusalBody): number | null {
  const sent = headers.get('Retry-After') ?? retry_after_seconds;
  const seconds = sent === undefined ? Number.NaN : Number(sent);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

const dateOr = (epochMs: number, otherwise: Date) => (Number.isFinite(epochMs) ? new Date(epochMs) : otherwise);

function textOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' ? value : otherwise;
}
