/** What the fast lane answers: the hot addresses from ready-made bytes, and reads whose path is an endpoint's letter by letter. */
import type { Gate } from '../../access/access.ts';
import type { Find } from '../../declaration/endpoint-finder.ts';
import type { Served } from '../../publishing/publisher.ts';
import { splitTarget } from '../../request/request-target.ts';
import type { Attempt } from '../../response/responder.ts';
import { wireOf } from '../../response/response-writer.ts';
import type { LaneParts } from './fast-path.ts';

/** Makes the answers from what is served at the moment of each request. */
export function laneAnswers(find: Find, served: () => Served, attempt: Attempt, gate: Gate): LaneParts['answer'] {
  return (read, peer) => {
    const { hot, edition } = served();
    const ready = hot.wireFor(read);
    if (ready !== null) return ready;
    const { path, query } = splitTarget(read.target);
    const found = find(path);
    if (found === undefined) return null;
    const { headers } = read;
    const work = () => found.endpoint.answer({ headers, peer, query, segments: found.segments }, edition, gate);
    const answer = attempt({ method: 'GET', url: read.target }, work);
    const accepted = headers['accept-encoding'] as string | undefined;
    return answer instanceof Promise ? answer.then((done) => wireOf(done, accepted)) : wireOf(answer, accepted);
  };
}
