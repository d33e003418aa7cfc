/** A client of the API of Pompa: fuel prices in Romania. */
export type { FollowOptions } from './changes.ts';
export { PompaClient, type StationsWithCursor } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export {
  BadRequestError,
  CursorGoneError,
  ForbiddenError,
  isPompaError,
  KeyRefusedError,
  KeyUnverifiedError,
  MonthlyQuotaError,
  NetworkError,
  NotFoundError,
  type PompaError,
  RateLimitError,
  ServerError,
  UnavailableError,
  UnexpectedAnswerError,
  WeeklyCapError,
} from './errors.ts';
export type * from './generated/endpoints.ts';
export type * from './generated/models.ts';
export type { CallOptions, Quota } from './transport.ts';
export {
  type VerifiedWebhook,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookPayload,
  WebhookRefusedError,
} from './verify-webhook.ts';
