/** Who may get how much of an endpoint: what endpoints declare, and the request they pass to access control. */
import type { IncomingHttpHeaders } from 'node:http';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import type { Answer } from '../response/answer.ts';

/** The access column of the contract's endpoint table. */
export type Access = {
  /** `none`: a sent key changes nothing. `optional`: it must be valid if sent. `required`: 401 without one. */
  readonly key: 'none' | 'optional' | 'required';
  /** Whether its answers count towards the monthly quota of a key. */
  readonly quota: boolean;
  readonly withoutKey: {
    /** One request per week, address and endpoint; crawlers are exempt by name, or only when DNS confirms them. */
    readonly weeklyCap: false | { readonly crawlers: 'named' | 'confirmed' };
    /** How many cities or records are returned. */
    readonly subset?: number;
  };
  /** Requests per minute and client address, across all processes; for endpoints that need no key. Rule 7. */
  readonly minuteLimit?: { readonly name: string; readonly perMinute: number };
};

/** Everything, for everybody. */
export const OPEN_ACCESS: Access = { key: 'none', quota: false, withoutKey: { weeklyCap: false } };

/** For key holders by quota, for everybody else once a week. */
export const WEEKLY_CAPPED_ACCESS: Access = {
  key: 'optional',
  quota: true,
  withoutKey: { weeklyCap: { crawlers: 'named' } },
};

/** Who sends the request. */
export type Caller = {
  readonly headers: IncomingHttpHeaders;
  /** The other end of the connection. */
  readonly peer: { readonly remoteAddress?: string | undefined };
};

/** What a request leads to, as far as memory alone can decide; rule 4 decides that before any limit. */
export type PreparedAnswer =
  /** Answered or refused without any limited work. */
  | { readonly answer: Answer }
  /** To be done once access is granted. */
  | { readonly work: () => Answer | Promise<Answer> };

export type AccessRequest = {
  readonly access: Access;
  /** The endpoint's path template, which the weekly cap counts by. */
  readonly path: string;
  readonly caller: Caller;
  /** Whether pages of any origin may read the answer. */
  readonly cors: boolean;
  /** Whether shared caches may store the answer, which then has to be the same for everybody. */
  readonly cacheable: boolean;
  /** Prepares the request as one sent with this key, or with none. */
  readonly prepare: (key: KnownKey | null) => PreparedAnswer;
};

/** Runs the work of permitted requests and answers the others itself. */
export type AccessControl = (asked: AccessRequest) => Answer | Promise<Answer>;
