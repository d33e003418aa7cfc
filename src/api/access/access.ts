/** Who may have how much of an endpoint: what endpoints declare, and what they ask whoever stands at the gate. */
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
    /** One request a week, address and endpoint; crawlers are let through by name, or only when DNS confirms it. */
    readonly weeklyCap: false | { readonly crawlers: 'named' | 'confirmed' };
    /** How many cities or records are shown. */
    readonly subset?: number;
  };
  /** Requests a minute and client address, over all processes; for endpoints that need no key. Rule 7. */
  readonly minuteLimit?: { readonly name: string; readonly perMinute: number };
};

/** For everybody, whole. */
export const OPEN_ACCESS: Access = { key: 'none', quota: false, withoutKey: { weeklyCap: false } };

/** For key holders by quota, for others once a week. */
export const WEEKLY_CAPPED_ACCESS: Access = {
  key: 'optional',
  quota: true,
  withoutKey: { weeklyCap: { crawlers: 'named' } },
};

/** Who asks. */
export type Caller = {
  readonly headers: IncomingHttpHeaders;
  /** The other end of the connection. */
  readonly peer: { readonly remoteAddress?: string | undefined };
};

/** What a request comes to, as far as it can be told from memory: rule 4 puts that before any limit. */
export type PreparedAnswer =
  /** Answered, or refused, without the work that is rationed. */
  | { readonly answer: Answer }
  /** To be done when the caller may have it. */
  | { readonly work: () => Answer | Promise<Answer> };

export type AccessRequest = {
  readonly access: Access;
  /** The endpoint's path template: what the weekly cap is counted by. */
  readonly path: string;
  readonly caller: Caller;
  /** Whether a page of any origin may read the answer. */
  readonly cors: boolean;
  /** Whether the answer may be kept by shared caches, and so must be the same for everybody. */
  readonly cacheable: boolean;
  /** Looks at the request as one with that key, or with none. */
  readonly prepare: (key: KnownKey | null) => PreparedAnswer;
};

/** Lets requests to the work, or answers in its place. */
export type AccessControl = (asked: AccessRequest) => Answer | Promise<Answer>;
