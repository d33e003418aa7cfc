/** What an attack is told, and what it is. */
import type { Limits } from '../../../src/api/http/connection/connection-limits.ts';

export type Battle = {
  readonly port: number;
  /** Connections of an attack. */
  readonly count: number;
  /** Requests on each, where an attack has many. */
  readonly each: number;
  /** How long what is idle stays, ms, where the server does not end it before. */
  readonly holdMs: number;
  readonly limits: Limits;
  /** Good ones, which the attackers have to themselves. */
  readonly keys: readonly string[];
};

/** Does its worst on one connection, waits until that is gone, and tells what came back that should not. */
export type Attack = (battle: Battle, number: number) => Promise<string | null>;
