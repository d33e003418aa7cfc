/** Fastify's refusals as the contract's errors. */
import { MESSAGES } from '../contract/messages.ts';
import { type Problem, problem } from '../response/problem.ts';

/** The refusal for an error from Fastify; `null` = the error is not Fastify's, or not the client's fault. */
export function frameworkProblem(error: Error & { code?: string; statusCode?: number }): Problem | null {
  const { code = '', statusCode = 500 } = error;
  // Fastify gives the error of a connection that breaks off within a body a status of its own.
  const aborted = code === 'ECONNRESET' && statusCode === 400;
  if (statusCode >= 500 || !(code.startsWith('FST_ERR_') || aborted)) return null;
  switch (statusCode) {
    case 413:
      return problem(413, MESSAGES.bodyTooLarge);
    case 414:
      return problem(414, MESSAGES.urlTooLong);
    case 415:
      return problem(415, MESSAGES.bodyType);
    default:
      return problem(400, code === 'FST_ERR_BAD_URL' ? MESSAGES.undecodable : MESSAGES.bodyNotJson);
  }
}
