/** Challenges for the pages of the site, beside the API: `/captcha/provocare`. */
import type { FastifyPluginCallback } from 'fastify';
import { CHALLENGE_PATH } from '../../domain/access/proof-of-work.ts';
import { Body } from '../encoding/body.ts';
import type { ChallengeResult } from '../endpoints/proof-of-work.ts';
import type { ReviewEndpointDependencies } from '../endpoints/reviews.ts';
import type { Caller } from '../request/caller.ts';
import { type Answer, SAME_ORIGIN_JSON_HEADERS } from '../response/answer.ts';
import { problemAnswer } from '../response/problem.ts';
import { challengesLimited, REVIEWS_UNAVAILABLE } from '../response/refusals.ts';
import { sendAnswer } from './reply.ts';

/** The route as a Fastify plugin; without challenges the path is one that does not exist. */
export function challengeRoute(
  { challengeFor }: ReviewEndpointDependencies,
  clientOf: (caller: Caller) => string,
): FastifyPluginCallback {
  return (app, _, done) => {
    if (challengeFor !== null) {
      app.get(CHALLENGE_PATH, (request, reply) => {
        const client = clientOf({ headers: request.headers, peer: request.socket });
        return sendAnswer(request, reply, challengeFor(client).then(challengeAnswer));
      });
    }
    done();
  };
}

function challengeAnswer(result: ChallengeResult): Answer {
  if (result === 'unavailable') return problemAnswer(REVIEWS_UNAVAILABLE, false);
  if ('waitMs' in result) return problemAnswer(challengesLimited(result.waitMs), false);
  return { status: 200, headers: SAME_ORIGIN_JSON_HEADERS, body: Body.singleUse(JSON.stringify(result)) };
}
