/** The input of an attack, and its type. */
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
  /** Valid keys that only the attackers use. */
  readonly keys: readonly string[];
};

/** Attacks on one connection, waits until it has closed, and returns the complaint; `null` = none. */
export type Attack = (scenario: AttackScenario, number: number) => Promise<string | null>;
