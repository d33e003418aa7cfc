/** The last step of every request behind the door: work, answer, and what happens when the work breaks. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, send } from './answer.ts';
import type { Log } from './log.ts';
import { MESSAGES } from './messages.ts';
import { type Problem, problem, refusal } from './problem.ts';

export type Respond = (
  request: IncomingMessage,
  response: ServerResponse,
  work: () => Answer | Promise<Answer>,
) => void;

/** Whether a page of another origin may read the answer to this request. Decision 16. */
export function corsAllowed(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Refuses a request for a reason known beforehand. */
export function refuse(request: IncomingMessage, response: ServerResponse, reason: Problem): void {
  void send(request, response, refusal(reason, corsAllowed(request.method)));
}

/** Sends what the work gives. An exception is a bug or an outage: logged once with an id, never told in its own words. */
export function responder(log: Log): Respond {
  const broken = (request: IncomingMessage, response: ServerResponse, err: unknown) => {
    const id = randomUUID().slice(0, 8);
    log.error({ err, id, method: request.method, path: request.url?.split('?', 1)[0] }, 'a request failed');
    if (response.headersSent) response.destroy();
    else refuse(request, response, problem(500, MESSAGES.internal(id)));
  };
  return (request, response, work) => {
    try {
      const answer = work();
      const sent =
        answer instanceof Promise
          ? answer.then((done) => send(request, response, done))
          : send(request, response, answer);
      sent?.catch((err) => broken(request, response, err));
    } catch (err) {
      broken(request, response, err);
    }
  };
}
