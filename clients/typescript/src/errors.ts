/**
 * Why a call failed. Each kind is a class and has a `kind`, so that `switch (error.kind)` knows its fields; the text of
 * `message` is for people and not part of the contract.
 */

/** Every error of this package, told apart by `kind`. */
export type PompaError =
  | WeeklyCapError
  | MonthlyQuotaError
  | RateLimitError
  | KeyRefusedError
  | KeyUnverifiedError
  | BadRequestError
  | ForbiddenError
  | NotFoundError
  | CursorGoneError
  | UnavailableError
  | ServerError
  | UnexpectedAnswerError
  | NetworkError;

/** True for every error that a call of this package throws, except the reason of an aborted signal. */
export function isPompaError(error: unknown): error is PompaError {
  return error instanceof CallError;
}

abstract class CallError extends Error {
  abstract readonly kind: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What the service said when it refused a request. */
export type Refusal = {
  readonly message: string;
  /** The HTTP status. */
  readonly status: number;
  /** The JSON body, `undefined` where it had none. */
  readonly body: unknown;
};

abstract class RefusedError extends CallError {
  readonly status: number;
  readonly body: unknown;

  constructor({ message, status, body }: Refusal) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

/** 429 without a key: this endpoint answers an address once a week. Retry at `nextAllowed`, or use a key. */
export class WeeklyCapError extends RefusedError {
  readonly kind = 'weekly-cap';
  readonly nextAllowed: Date;
  /** The page with the plans; `null` where the service names none. */
  readonly plansUrl: string | null;

  constructor(refusal: Refusal, nextAllowed: Date, plansUrl: string | null) {
    super(refusal);
    this.nextAllowed = nextAllowed;
    this.plansUrl = plansUrl;
  }
}

/** 429 with a key: its requests of this month are used up until `resetsAt`. */
export class MonthlyQuotaError extends RefusedError {
  readonly kind = 'monthly-quota';
  /** Requests a month. */
  readonly limit: number;
  readonly resetsAt: Date;
  /** The page with the plans; `null` where the service names none. */
  readonly plansUrl: string | null;

  constructor(refusal: Refusal, limit: number, resetsAt: Date, plansUrl: string | null) {
    super(refusal);
    this.limit = limit;
    this.resetsAt = resetsAt;
    this.plansUrl = plansUrl;
  }
}

/** 429: too many requests in a short time; nothing was counted. The client waits by itself up to its bound. */
export class RateLimitError extends RefusedError {
  readonly kind = 'rate-limit';
  readonly retryAfterSeconds: number;
  /** Whose limit: that of the key over all endpoints, or one of this endpoint. */
  readonly limitOf: 'key' | 'endpoint';

  constructor(refusal: Refusal, retryAfterSeconds: number, limitOf: 'key' | 'endpoint') {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds;
    this.limitOf = limitOf;
  }
}

/** 401: the key is wrong, was revoked, or is missing where one is needed. Do not retry with it. */
export class KeyRefusedError extends RefusedError {
  readonly kind = 'key-refused';
}

/** 503: the service could not check the key at the moment. The key was not refused: keep it. */
export class KeyUnverifiedError extends RefusedError {
  readonly kind = 'key-unverified';
  readonly retryAfterSeconds: number;

  constructor(refusal: Refusal, retryAfterSeconds: number) {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400 and its like: the request is wrong; `message` names the parameter and what would be right. */
export class BadRequestError extends RefusedError {
  readonly kind = 'bad-request';
}

/** 403: for example, a review with text without a valid captcha token. */
export class ForbiddenError extends RefusedError {
  readonly kind = 'forbidden';
}

/** 404: an unknown county or station, or an address that the service does not have. */
export class NotFoundError extends RefusedError {
  readonly kind = 'not-found';
}

/**
 * 410: the feed no longer has what follows this cursor. Load the prices again, with `getStationsWithCursor` or from
 * the dumps, and continue from there; `resumeFrom` is the oldest cursor that the feed accepts.
 */
export class CursorGoneError extends RefusedError {
  readonly kind = 'cursor-gone';
  readonly resumeFrom: string;

  constructor(refusal: Refusal, resumeFrom: string) {
    super(refusal);
    this.resumeFrom = resumeFrom;
  }
}

/** 502 to 504: the service, or a source that it asks, is unavailable at the moment. */
export class UnavailableError extends RefusedError {
  readonly kind = 'unavailable';
  /** `null` = the service does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(refusal: Refusal, retryAfterSeconds: number | null) {
    super(refusal);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Another 5xx: a fault of the service; `message` has a code to report. */
export class ServerError extends RefusedError {
  readonly kind = 'server';
}

/** The answer is not one of the API: a redirect, a page of a proxy, or JSON of another shape. */
export class UnexpectedAnswerError extends CallError {
  readonly kind = 'unexpected-answer';
}

/** No answer came: no connection, or not within the time limit. `cause` says more. */
export class NetworkError extends CallError {
  readonly kind = 'network';
}
