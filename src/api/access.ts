/** Who may have how much of an endpoint. */
import type { IncomingHttpHeaders } from 'node:http';
import { MESSAGES } from './messages.ts';
import { type Problem, problem } from './problem.ts';

/** The access column of the contract's endpoint table. */
export type Access = {
  /** `none`: a sent key is not looked at. `optional`: it must be valid if sent. `required`: 401 without one. */
  readonly key: 'none' | 'optional' | 'required';
  readonly withoutKey: {
    /** One request a week, address and endpoint. */
    readonly weeklyCap: boolean;
    /** How many cities or records are shown. */
    readonly subset?: number;
  };
};

/** For everybody, whole. */
export const OPEN: Access = { key: 'none', withoutKey: { weeklyCap: false } };

/** What a caller gets: `full` = without the public subset. */
export type Admission = { readonly full: boolean };

const WITHOUT_KEY: Admission = { full: false };
const KEY_REFUSED: Problem = problem(401, MESSAGES.keyRefused);

/**
 * Decides over a request before anything else is read. No key has been given out yet, so on an endpoint that takes keys
 * every sent key, be it empty or sent twice, is an invalid one (decision 3).
 */
export function admit(access: Access, headers: IncomingHttpHeaders): Admission | { problem: Problem } {
  if (access.key === 'none') return WITHOUT_KEY;
  if (headers['x-api-key'] !== undefined || access.key === 'required') return { problem: KEY_REFUSED };
  return WITHOUT_KEY;
}
