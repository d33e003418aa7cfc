/** The last step of every request behind the door: work, answer, and what happens when the work breaks. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { MESSAGES } from '../contract/messages.ts';
import { corsAllowed } from '../request/cors.ts';
import { type Answer, type HeaderList, send } from './answer.ts';
import type { Log } from './log.ts';
import { type Problem, problem, refusal } from './problem.ts';

export type Respond = (
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Answer | Promise<Answer>,
) => void;

/** Refuses a request for a reason known beforehand. */
export function refuse(request: IncomingMessage, response: ServerResponse, reason: Problem): void {
  void send(request, response, refusal(reason, corsAllowed(request.method, request.url)));
}

/** What is known of a request when its work breaks. */
type Asked = { readonly method?: string | undefined; readonly url?: string | undefined };

/** Work that broke, with headers that its answer has all the same. */
export class Broken extends Error {
  override name = 'Broken';
  readonly headers: HeaderList;

  constructor(cause: unknown, headers: HeaderList) {
    super('the work of a request broke', { cause });
    this.headers = headers;
  }
}

/** Does the work of a request. An exception is a bug or an outage: logged once with an id, never told in its own words. */
export type Attempt = (asked: Asked, work: () => Answer | Promise<Answer>) => Answer | Promise<Answer>;

export function attempts(log: Log): Attempt {
  const broken = ({ method, url }: Asked, error: unknown) => {
    const err = error instanceof Broken ? error.cause : error;
    const id = randomUUID().slice(0, 8);
    log.error({ err, id, method, path: url?.split('?', 1)[0] }, 'a request failed');
    const headers = error instanceof Broken ? error.headers : [];
    return refusal(problem(500, MESSAGES.internal(id), headers), corsAllowed(method, url));
  };
  return (asked, work) => {
    try {
      const answer = work();
      return answer instanceof Promise ? answer.catch((err) => broken(asked, err)) : answer;
    } catch (err) {
      return broken(asked, err);
    }
  };
}

/** Sends what the work gives. */
export function responder(log: Log): Respond {
  const attempt = attempts(log);
  return (request, response, work) => {
    const answer = attempt(request, work);
    const sent =
      answer instanceof Promise
        ? answer.then((done) => send(request, response, done))
        : send(request, response, answer);
    sent?.catch((err) => {
      log.error({ err, method: request.method }, 'an answer could not be sent');
      response.destroy();
    });
  };
}
