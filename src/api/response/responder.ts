/** The last step of every request behind the door: work, answer, and what happens when the work breaks. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MESSAGES } from '../contract/messages.ts';
import { corsAllowed } from '../request/cors.ts';
import { type Answer, type HeaderList, sendAnswer } from './answer.ts';
import type { Log } from './log.ts';
import { type Problem, problem, problemAnswer } from './problem.ts';

export type Responder = (
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Answer | Promise<Answer>,
) => void;

/** Refuses a request for a reason known beforehand. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, reason: Problem): void {
  void sendAnswer(request, response, problemAnswer(reason, corsAllowed(request.method, request.url)));
}

/** What is known of a request when its work breaks. */
type RequestSummary = { readonly method?: string | undefined; readonly url?: string | undefined };

/** Work that broke, with headers that its answer has all the same. */
export class HandlerError extends Error {
  override name = 'HandlerError';
  readonly headers: HeaderList;

  constructor(cause: unknown, headers: HeaderList) {
    super('the work of a request broke', { cause });
    this.headers = headers;
  }
}

/** Does the work of a request. An exception is a bug or an outage: logged once with an id, never told in its own words. */
export type HandlerRunner = (asked: RequestSummary, work: () => Answer | Promise<Answer>) => Answer | Promise<Answer>;

export function createHandlerRunner(log: Log): HandlerRunner {
  const failureAnswer = ({ method, url }: RequestSummary, error: unknown) => {
    const err = error instanceof HandlerError ? error.cause : error;
    const id = randomUUID().slice(0, 8);
    log.error({ err, id, method, path: url?.split('?', 1)[0] }, 'a request failed');
    const headers = error instanceof HandlerError ? error.headers : [];
    return problemAnswer(problem(500, MESSAGES.internal(id), headers), corsAllowed(method, url));
  };
  return (asked, work) => {
    try {
      const answer = work();
      return answer instanceof Promise ? answer.catch((err) => failureAnswer(asked, err)) : answer;
    } catch (err) {
      return failureAnswer(asked, err);
    }
  };
}

/** Sends what the work gives. */
export function createResponder(log: Log): Responder {
  const runHandler = createHandlerRunner(log);
  return (request, response, work) => {
    const answer = runHandler(request, work);
    const sent =
      answer instanceof Promise
        ? answer.then((done) => sendAnswer(request, response, done))
        : sendAnswer(request, response, answer);
    sent?.catch((err) => {
      log.error({ err, method: request.method }, 'an answer could not be sent');
      response.destroy();
    });
  };
}
