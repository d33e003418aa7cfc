/** The type of an attack, and of its input. */
import type { ConnectionLimits } from '../../../src/api/http/connection/connection-limits.ts';

export type AttackScenario = {
  readonly port: number;
  /** Number of connections. */
  readonly count: number;
  /** Requests on each connection, for attacks that send many. */
  readonly each: number;
  /** How long idle connections stay open, ms, unless the server closes them earlier. */
  readonly holdMs: number;
  readonly limits: ConnectionLimits;
  /** Valid keys that only the attackers use. */
  readonly keys: readonly string[];
};

/** Runs the attack on one connection, waits until it has closed, and returns a complaint; `null` = none. */
export type Attack = (scenario: AttackScenario, number: number) => Promise<string | null>;
