/** What an attack is told, and what it is. */
import type { ConnectionLimits } from '../../../src/api/http/connection/connection-limits.ts';

export type AttackScenario = {
  readonly port: number;
  /** Connections of an attack. */
  readonly count: number;
  /** Requests on each, where an attack has many. */
  readonly each: number;
  /** How long what is idle stays, ms, where the server does not end it before. */
  readonly holdMs: number;
  readonly limits: ConnectionLimits;
  /** Good ones, which the attackers have to themselves. */
  readonly keys: readonly string[];
};

/** Does its worst on one connection, waits until that is gone, and tells what came back that should not. */
export type Attack = (scenario: AttackScenario, number: number) => Promise<string | null>;
