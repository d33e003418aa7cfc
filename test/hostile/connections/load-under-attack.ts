/** Runs attacks on a service one after another; measures how others are served meanwhile, and what remains in use. */
import { setTimeout as wait } from 'node:timers/promises';
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../../src/api/http/connection/connection-limits.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import type { AttackCommand, AttackReport } from './attack-process.ts';
import { Probe } from './probe.ts';
import type { AttackScenario } from './scenario.ts';
import type { ResourceUsage, TargetOptions, TargetReady } from './target-process.ts';

export type AttackPlan = TargetOptions & {
  /** How often each attack is repeated. */
  readonly repetitions: number;
  readonly holdMs: number;
};
/** Attacks to run at the same time, with the number of connections and of requests on each. */
export type PlannedAttack = { readonly names: readonly string[]; readonly count: number; readonly each: number };

export type AttackOutcome = {
  /** Wrong answers to attackers or to the regular client. */
  readonly complaints: readonly string[];
  /** How long the regular client's answers took, ms. */
  readonly ms: readonly number[];
  /** Requests of the regular client that were answered only on a retry, because the database was too slow. */
  readonly retried: number;
  readonly before: ResourceUsage;
  /** The usage after each repetition, once connections and handles are back to the baseline, or after a time limit. */
  readonly after: readonly ResourceUsage[];
};

/** How long the process took to exit, and its exit code or the signal that killed it. */
export type StopUnderAttack = { readonly ms: number; readonly exit: number | NodeJS.Signals | null };

export type LoadUnderAttack = {
  attack(planned: PlannedAttack): Promise<AttackOutcome>;
  /** Stops the service while all of these attacks are under way. */
  stopUnderAttack(attacks: readonly PlannedAttack[]): Promise<StopUnderAttack>;
};

/** How long a service may take to release everything after an attack, ms. */
const SETTLE_MS = 15_000;
const POLL_INTERVAL_MS = 50;

/** Runs `work` with a service and an attacker in separate processes. */
export async function withLoadUnderAttack(
  plan: AttackPlan,
  work: (load: LoadUnderAttack) => Promise<void>,
): Promise<void> {
  const { records, limits: own, databaseUrl } = plan;
  const options: TargetOptions = { records, limits: own, databaseUrl };
  const target = startChild('test/hostile/connections/target-process.ts', [JSON.stringify(options)]);
  const attackProcess = startChild('test/hostile/connections/attack-process.ts');
  try {
    const { port, keys } = await target.next<TargetReady>();
    const half = keys.length / 2;
    const probe = await Probe.create(port, keys.slice(half));
    const limits: ConnectionLimits = { ...CONNECTION_LIMITS, ...own };
    const commandFor = ({ names, count, each }: PlannedAttack): AttackCommand => {
      const scenario: AttackScenario = { port, count, each, holdMs: plan.holdMs, limits, keys: keys.slice(0, half) };
      return { attacks: names, scenario };
    };
    await work({
      attack: (planned) => attack(plan.repetitions, commandFor(planned), { target, attackProcess, probe }),
      stopUnderAttack: (attacks) => stopUnderAttack(attacks.map(commandFor), target, attackProcess),
    });
  } finally {
    await Promise.all([target.end(), attackProcess.end()]);
  }
}

type AttackProcesses = { readonly target: Child; readonly attackProcess: Child; readonly probe: Probe };

async function attack(repetitions: number, command: AttackCommand, processes: AttackProcesses): Promise<AttackOutcome> {
  const { target, attackProcess, probe } = processes;
  const before = await readResources(target);
  const complaints: string[] = [];
  const ms: number[] = [];
  let retried = 0;
  const after: ResourceUsage[] = [];
  for (let round = 0; round < repetitions; round += 1) {
    probe.start();
    attackProcess.send(command);
    const report = await attackProcess.next<AttackReport>();
    const served = await probe.stop();
    complaints.push(...report.complaints, ...served.failures.map((wrong) => `the regular client: ${wrong}`));
    for (const each of served.ms) ms.push(each);
    retried += served.retried;
    after.push(await waitUntilSettled(target, before));
  }
  return { complaints, ms, retried, before, after };
}

async function readResources(target: Child): Promise<ResourceUsage> {
  target.send({});
  return target.next<ResourceUsage>();
}

/** The usage once the service has as many connections and handles as before, or after the time limit. */
async function waitUntilSettled(target: Child, before: ResourceUsage): Promise<ResourceUsage> {
  const end = performance.now() + SETTLE_MS;
  for (;;) {
    const now = await readResources(target);
    const asBefore = now.connections === before.connections && now.handles === before.handles;
    if (asBefore || performance.now() > end) return now;
    await wait(POLL_INTERVAL_MS);
  }
}

async function stopUnderAttack(
  attacks: readonly AttackCommand[],
  target: Child,
  attackProcess: Child,
): Promise<StopUnderAttack> {
  const baseline = await readResources(target);
  for (const command of attacks) attackProcess.send(command);
  const wanted = baseline.connections + attacks.length;
  const end = performance.now() + SETTLE_MS;
  while ((await readResources(target)).connections < wanted && performance.now() < end) await wait(POLL_INTERVAL_MS);
  const started = performance.now();
  await target.end();
  return { ms: performance.now() - started, exit: target.process.exitCode ?? target.process.signalCode };
}
