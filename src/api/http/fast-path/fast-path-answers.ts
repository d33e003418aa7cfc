/** Answers of the fast path: prerendered addresses, and reads whose path equals an endpoint's, byte for byte. */
import type { AccessControl } from '../../access/access.ts';
import type { FindEndpoint } from '../../declaration/endpoint-finder.ts';
import { splitTarget } from '../../request/request-target.ts';
import type { Answer } from '../../response/answer.ts';
import type { FailureAnswer } from '../../response/failure.ts';
import type { FastPathOptions } from './fast-connection.ts';
import type { ServedPublication } from './prerendered-responses.ts';
import { rawResponseOf } from './response-writer.ts';

export type FastPathDependencies = {
  readonly findEndpoint: FindEndpoint;
  readonly served: () => ServedPublication;
  readonly failureAnswer: FailureAnswer;
  readonly accessControl: AccessControl;
};

/** Answers each request from the publication that is served at that moment. */
export function createFastPathAnswer(dependencies: FastPathDependencies): FastPathOptions['answer'] {
  const { findEndpoint, served, failureAnswer, accessControl } = dependencies;
  return (request, peer) => {
    const { prerendered, rendered } = served();
    const prerenderedResponse = prerendered.responseFor(request);
    if (prerenderedResponse !== null) return prerenderedResponse;
    const { headers, target } = request;
    const { path, query } = splitTarget(target);
    const match = findEndpoint(path);
    if (match === undefined) return null;
    const incoming = { headers, peer, query, segments: match.segments };
    const work = () => match.endpoint.answer(incoming, rendered, accessControl);
    const answer = withFailures(work, (error) => failureAnswer({ method: 'GET', url: target }, error));
    const acceptEncoding = headers['accept-encoding'] as string | undefined;
    return answer instanceof Promise
      ? answer.then((settled) => rawResponseOf(settled, acceptEncoding))
      : rawResponseOf(answer, acceptEncoding);
  };
}

/** Does the work; an exception or a rejection becomes an answer. */
function withFailures(
  work: () => Answer | Promise<Answer>,
  failed: (error: unknown) => Answer,
): Answer | Promise<Answer> {
  try {
    const answer = work();
    return answer instanceof Promise ? answer.catch(failed) : answer;
  } catch (error) {
    return failed(error);
  }
}
