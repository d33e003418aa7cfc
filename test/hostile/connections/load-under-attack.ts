/** Attacks on a running service, one after the other: how others are served meanwhile, and what is left behind. */
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS, type Limits } from '../../../src/api/http/connection/connection-limits.ts';
import { type Child, start } from '../../support/child-process.ts';
import type { Fought, Orders } from './attack-process.ts';
import { Regular } from './probe.ts';
import type { Battle } from './scenario.ts';
import type { Holding, Listening, Order } from './target-process.ts';

export type Plan = Order & {
  /** How often each attack is made. */
  readonly repetitions: number;
  readonly holdMs: number;
};
/** Attacks made at once, so many connections and requests on each of them. */
export type Planned = { readonly names: readonly string[]; readonly count: number; readonly each: number };

export type Outcome = {
  /** What attackers or the regular client were answered otherwise than they should be. */
  readonly complaints: readonly string[];
  /** How long the regular client's answers took, ms. */
  readonly ms: readonly number[];
  /** Its requests with a key that were answered only when they were sent again: the database was too slow. */
  readonly again: number;
  readonly before: Holding;
  /** After each repetition, connections and handles as few as before or the time for it gone. */
  readonly after: readonly Holding[];
};

export type Siege = {
  attack(planned: Planned): Promise<Outcome>;
  /** Tells the service to end while all of these attacks are under way. */
  stopUnder(attacks: readonly Planned[]): Promise<{ readonly ms: number; readonly inOrder: boolean }>;
};

/** How long a service may take until nothing is left of an attack that is over, ms. */
const SETTLE_MS = 15_000;
const LOOK_EVERY_MS = 50;

/** Runs `work` with a service and an attacker in processes of their own. */
export async function besiege(plan: Plan, work: (siege: Siege) => Promise<void>): Promise<void> {
  const { records, limits: own, databaseUrl } = plan;
  const order: Order = { records, limits: own, databaseUrl };
  const service = start('test/hostile/connections/target-process.ts', [JSON.stringify(order)]);
  const attacker = start('test/hostile/connections/attack-process.ts');
  try {
    const { port, keys } = await service.next<Listening>();
    const half = keys.length / 2;
    const regular = await Regular.of(port, keys.slice(half));
    const limits: Limits = { ...LIMITS, ...own };
    const orders = ({ names, count, each }: Planned): Orders => {
      const battle: Battle = { port, count, each, holdMs: plan.holdMs, limits, keys: keys.slice(0, half) };
      return { attacks: names, battle };
    };
    await work({
      attack: (planned) => attack(plan.repetitions, orders(planned), { service, attacker, regular }),
      stopUnder: (attacks) => stopUnder(attacks.map(orders), service, attacker),
    });
  } finally {
    await Promise.all([service.end(), attacker.end()]);
  }
}

type Sides = { readonly service: Child; readonly attacker: Child; readonly regular: Regular };

async function attack(repetitions: number, orders: Orders, sides: Sides): Promise<Outcome> {
  const { service, attacker, regular } = sides;
  const before = await holding(service);
  const complaints: string[] = [];
  const ms: number[] = [];
  let again = 0;
  const after: Holding[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    regular.start();
    attacker.send(orders);
    const fought = await attacker.next<Fought>();
    const served = await regular.stop();
    complaints.push(...fought.complaints, ...served.wrong.map((wrong) => `the regular client: ${wrong}`));
    for (const each of served.ms) ms.push(each);
    again += served.again;
    after.push(await settled(service, before));
  }
  return { complaints, ms, again, before, after };
}

async function holding(service: Child): Promise<Holding> {
  service.send({});
  return service.next<Holding>();
}

/** What the service holds once it has no more connections and handles than before, or the time for it is over. */
async function settled(service: Child, before: Holding): Promise<Holding> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const now = await holding(service);
    const asBefore = now.connections === before.connections && now.handles === before.handles;
    if (asBefore || performance.now() > end) return now;
    await wait(LOOK_EVERY_MS);
  }
}

async function stopUnder(
  attacks: readonly Orders[],
  service: Child,
  attacker: Child,
): Promise<{ ms: number; inOrder: boolean }> {
  const quiet = await holding(service);
  for (const orders of attacks) attacker.send(orders);
  const wanted = quiet.connections + attacks.length;
  const end = performance.now() + SETTLE_MS;
  while ((await holding(service)).connections < wanted && performance.now() < end) await wait(LOOK_EVERY_MS);
  const started = performance.now();
  await service.end();
  return { ms: performance.now() - started, inOrder: service.process.exitCode === 0 };
}
