/** The answer to a request whose work fails. An exception is a bug or an outage. */
import { quotableRequestId } from '../../telemetry/request-scope.ts';
import { MESSAGES } from '../contract/messages.ts';
import { corsAllowed } from '../request/cors.ts';
import type { Answer, HeaderList } from './answer.ts';
import type { Log } from './log.ts';
import { problem, problemAnswer } from './problem.ts';

/** A failure of a handler, with headers that the answer carries nevertheless. */
export class HandlerError extends Error {
  override name = 'HandlerError';
  readonly headers: HeaderList;

  constructor(cause: unknown, headers: HeaderList) {
    super('the handler of a request failed', { cause });
    this.headers = headers;
  }
}

/** What the log records of a failed request. */
type RequestSummary = { readonly method?: string | undefined; readonly url?: string | undefined };

/** Makes the 500 for a failed request: logs the error once with an id, and never sends its message. */
export type FailureAnswer = (request: RequestSummary, error: unknown) => Answer;

export function createFailureAnswer(log: Log): FailureAnswer {
  return ({ method, url }, error) => {
    const [err, headers] = error instanceof HandlerError ? [error.cause, error.headers] : [error, []];
    const id = quotableRequestId();
    log.error({ err, id, method, path: url?.split('?', 1)[0] }, 'a request failed');
    return problemAnswer(problem(500, MESSAGES.internal(id), headers), corsAllowed(method, url));
  };
}
