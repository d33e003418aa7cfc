/** What the fast lane answers: the hot addresses from ready-made bytes, and reads whose path is an endpoint's letter by letter. */
import type { AccessControl } from '../../access/access.ts';
import type { FindEndpoint } from '../../declaration/endpoint-finder.ts';
import { splitTarget } from '../../request/request-target.ts';
import type { HandlerRunner } from '../../response/responder.ts';
import type { FastPathOptions } from './fast-path.ts';
import type { ServedPublication } from './prerendered-responses.ts';
import { rawResponseOf } from './response-writer.ts';

/** Makes the answers from what is served at the moment of each request. */
export function createFastPathAnswer(
  findEndpoint: FindEndpoint,
  served: () => ServedPublication,
  runHandler: HandlerRunner,
  accessControl: AccessControl,
): FastPathOptions['answer'] {
  return (request, peer) => {
    const { prerendered, rendered } = served();
    const prerenderedResponse = prerendered.responseFor(request);
    if (prerenderedResponse !== null) return prerenderedResponse;
    const { path, query } = splitTarget(request.target);
    const match = findEndpoint(path);
    if (match === undefined) return null;
    const { headers } = request;
    const work = () =>
      match.endpoint.answer({ headers, peer, query, segments: match.segments }, rendered, accessControl);
    const answer = runHandler({ method: 'GET', url: request.target }, work);
    const acceptEncoding = headers['accept-encoding'] as string | undefined;
    return answer instanceof Promise
      ? answer.then((done) => rawResponseOf(done, acceptEncoding))
      : rawResponseOf(answer, acceptEncoding);
  };
}
