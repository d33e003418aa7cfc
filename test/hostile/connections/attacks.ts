/** Every attack by its name. */
import { ABORTS } from './aborts.ts';
import { FLOODS } from './floods.ts';
import { ODDITIES } from './oddities.ts';
import { PIPELINES } from './pipelines.ts';
import type { Attack, Battle } from './scenario.ts';
import { SLOW } from './slow.ts';

const ATTACKS: Readonly<Record<string, Attack>> = { ...SLOW, ...PIPELINES, ...ABORTS, ...FLOODS, ...ODDITIES };

export const ATTACK_NAMES: readonly string[] = Object.keys(ATTACKS);

/** What the server has to end by itself may last as long as its limits say, and so much longer. */
const MARGIN_MS = 15_000;

/** All connections of one attack at once; gives the complaints. */
export async function fight(name: string, battle: Battle): Promise<string[]> {
  const attack = ATTACKS[name];
  if (attack === undefined) return [`${name} is no attack`];
  const told = await Promise.all(
    Array.from({ length: battle.count }, (_, number) => inTime(battle, attack(battle, number))),
  );
  return told.filter((complaint) => complaint !== null).map((complaint) => `${name}: ${complaint}`);
}

async function inTime({ limits, holdMs }: Battle, fought: Promise<string | null>): Promise<string | null> {
  const ms = limits.requestMs + limits.stalledMs + holdMs + MARGIN_MS;
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`the connection was still there after ${ms} ms`), ms);
  const complaint = await Promise.race([fought, late.promise]);
  clearTimeout(timer);
  return complaint;
}
