/** The refusals of journeys, for which the contract has a format of their own. Rule 17. */
import { pathOf } from '../request/request-target.ts';
import type { Problem } from './problem.ts';

export const JOURNEY_PATH = '/api/v1/traseu/custom';

/** `{ok: false, msg}` instead of `{status, message}`. */
export function toJourneyProblem({ status, body, headers }: Problem): Problem {
  return { status, body: { ok: false, msg: String(body.message) }, ...(headers && { headers }) };
}

/** Of a request that is refused before its endpoint sees it: a 400 in the format of the endpoint that it names. */
export function inNamedFormat(method: string | undefined, target: string | undefined, problem: Problem): Problem {
  const isJourney = method === 'POST' && pathOf(target ?? '') === JOURNEY_PATH;
  return isJourney && problem.status === 400 ? toJourneyProblem(problem) : problem;
}
