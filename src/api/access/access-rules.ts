/** The access rules that endpoints declare, and the request that they pass to access control. */
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { Caller } from '../request/caller.ts';
import type { Answer } from '../response/answer.ts';

/** The access column of the contract's endpoint table. */
export type Access = {
  /** `none`: a valid key only adds its headers. `optional`: it must be valid if sent. `required`: 401 without one. */
  readonly key: 'none' | 'optional' | 'required';
  /** Whether its answers count towards the monthly quota of a key. */
  readonly quota: boolean;
  readonly withoutKey: {
    /** One request per week, address and endpoint; exempts crawlers by User-Agent, or only those that DNS confirms. */
    readonly weeklyCap: false | { readonly crawlerExemption: 'by user agent' | 'by DNS' };
    /** How many cities or records the answer has at most. */
    readonly subset?: number;
  };
  /** Requests per minute and client address, across all processes; for endpoints that need no key. Rule 7. */
  readonly minuteLimit?: { readonly name: string; readonly perMinute: number };
};

/** No key, no limit. */
export const OPEN_ACCESS: Access = { key: 'none', quota: false, withoutKey: { weeklyCap: false } };

/** With a key within its quota, without one once a week. */
export const WEEKLY_CAPPED_ACCESS: Access = {
  key: 'optional',
  quota: true,
  withoutKey: { weeklyCap: { crawlerExemption: 'by user agent' } },
};

/** What a request leads to, decided from memory before any limit (rule 4). */
export type PreparedAnswer =
  /** Answered or refused without any limited work. */
  | { readonly answer: Answer }
  /** Work to do once access is granted. Unless it `isCounted`, not even its answer of 200 consumes cap or quota. */
  | { readonly work: () => Answer | Promise<Answer>; readonly isCounted: boolean };

export type AccessRequest = {
  readonly access: Access;
  /** The endpoint's path template, which the weekly cap counts by. */
  readonly path: string;
  readonly caller: Caller;
  /** Whether pages of any origin may read the answer. */
  readonly cors: boolean;
  /** Whether shared caches may store the answer, which then has to be the same for all callers. */
  readonly cacheable: boolean;
  /** Prepares the request as sent with this key, or without one. */
  readonly prepare: (key: KnownKey | null) => PreparedAnswer;
};

/** Runs the work of permitted requests and answers the others itself. */
export type AccessControl = (request: AccessRequest) => Answer | Promise<Answer>;
