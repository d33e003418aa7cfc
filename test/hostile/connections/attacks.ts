/** All attacks by name. */
import { ABORTS } from './aborts.ts';
import { FLOODS } from './floods.ts';
import { PIPELINES } from './pipelines.ts';
import type { Attack, AttackScenario } from './scenario.ts';
import { SLOW } from './slow.ts';
import { UNUSUAL_CLIENTS } from './unusual-clients.ts';

const ATTACKS: Readonly<Record<string, Attack>> = { ...SLOW, ...PIPELINES, ...ABORTS, ...FLOODS, ...UNUSUAL_CLIENTS };

export const ATTACK_NAMES: readonly string[] = Object.keys(ATTACKS);

/**
 * How long a connection may outlast the server's own time limits: the requests of one client take turns, and on a busy
 * machine a long pipeline takes a minute of them.
 */
const MARGIN_MS = 60_000;

/** Opens all connections of an attack at once; returns the complaints. */
export async function runAttack(name: string, scenario: AttackScenario): Promise<string[]> {
  const attack = ATTACKS[name];
  if (attack === undefined) return [`there is no attack "${name}"`];
  const complaints = await Promise.all(
    Array.from({ length: scenario.count }, (_, number) => withTimeLimit(scenario, attack(scenario, number))),
  );
  return complaints.filter((complaint) => complaint !== null).map((complaint) => `${name}: ${complaint}`);
}

async function withTimeLimit(
  { limits, holdMs }: AttackScenario,
  outcome: Promise<string | null>,
): Promise<string | null> {
  const ms = limits.requestMs + limits.stallTimeoutMs + holdMs + MARGIN_MS;
  const timeLimit = Promise.withResolvers<string>();
  const timer = setTimeout(() => timeLimit.resolve(`the connection was still open after ${ms} ms`), ms);
  const complaint = await Promise.race([outcome, timeLimit.promise]);
  clearTimeout(timer);
  return complaint;
}
