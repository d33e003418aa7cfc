/** Rounds in which the database fails while readers read and collectors collect. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { randomInteger } from '../../../src/simulation/country/seeded-random.ts';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { query, waitFor } from '../../support/database/embedded-database.ts';
import { type Child, listeningAddress, startChild } from '../../support/processes/child-process.ts';
import { AcknowledgedWrites } from '../engine/acknowledged-writes.ts';
import { lastGoodCollection } from '../engine/artefacts.ts';
import {
  type CollectionPhase,
  type DatabaseReport,
  type FaultName,
  type PlannedFault,
  planFault,
} from '../engine/database-faults.ts';
import { Dependents, startExternalServices } from '../engine/dependents.ts';
import { RegisterRequests } from '../engine/register-requests.ts';
import { RemoteDatabase } from '../engine/remote-database.ts';
import { type RunningCollection, ServiceProcesses } from '../engine/service-processes.ts';
import { withDeadline } from '../engine/with-deadline.ts';

export type DatabasePlan = {
  readonly rounds: number;
  readonly seed: number;
  readonly faults: readonly FaultName[];
  /** Whether the database and DATA_DIR get small disks of their own. */
  readonly smallDisks: boolean;
  /** The longest that a fault may last, ms. */
  readonly longestMs: number;
  /** An answer that takes longer is a violation, ms. */
  readonly answeredWithinMs: number;
  readonly onRound?: (round: number, line: string) => void;
};

const RECOVERED_WITHIN_MS = 5_000;
const LAST_GOOD_WITHIN_MS = 30_000;
/** A collection whose publication hangs gives up earlier. */
const ENDED_WITHIN_MS = 100_000;
/** For a collection that may be cut off and then cannot release its lease. */
const SHORT_LEASE_MS = 1_000;
const USUAL_LEASE_MS = 30_000;
/** About how long a publication takes, ms. */
const PUBLISHES_MS = 150;
/** Both servers receive requests with all of them within a few seconds. */
const KEYS = 100;
/** Addresses that are answered without the database and that the readers do not request. */
const DATABASE_FREE_PATHS = ['/livez', '/readyz', '/api/v1/health', '/openapi.json', '/'];

/** Runs the rounds with service processes of their own; rejects when those cannot be started or do not recover. */
export async function databaseRounds(plan: DatabasePlan): Promise<DatabaseReport> {
  const remote = await RemoteDatabase.open(plan.smallDisks);
  const externalServices = await startExternalServices();
  const processes = new ServiceProcesses({
    folder: remote.folder,
    settings: { ...externalServices.settings, DATABASE_URL: remote.url },
    answeredWithinMs: plan.answeredWithinMs,
    onEnd: async () => {
      await remote.close();
      await externalServices.close();
    },
  });
  let rounds: DatabaseRounds | undefined;
  try {
    await processes.open(USUAL_LEASE_MS);
    rounds = new DatabaseRounds(
      remote,
      processes,
      plan,
      await AcknowledgedWrites.create(processes),
      await dependentsOf(processes, plan),
    );
    await rounds.checkStart();
    const continues = () => processes.publications.violations.length === 0;
    for (let round = 0; round < plan.rounds && continues(); round += 1) await rounds.run(round);
    if (continues()) await rounds.stopDuringBlackHole();
    return rounds.report();
  } catch (error) {
    throw new Error(
      `${(error as Error).message}; ${processes.publications.violations.join('; ')}\n${processes.log()}`,
      {
        cause: error,
      },
    );
  } finally {
    await rounds?.close();
    await processes.close();
  }
}

async function dependentsOf(processes: ServiceProcesses, { answeredWithinMs }: DatabasePlan): Promise<Dependents> {
  const client = new pg.Client(await processes.connection());
  await client.connect();
  const keys = await insertKeys(client, KEYS).finally(() => client.end());
  return new Dependents({
    keys,
    station: processes.oracle.ids[0] as string,
    answeredWithinMs,
    onViolation: (sentence) => processes.publications.addViolation(sentence),
  });
}

class DatabaseRounds {
  readonly #remote: RemoteDatabase;
  readonly #processes: ServiceProcesses;
  readonly #plan: DatabasePlan;
  readonly #writes: AcknowledgedWrites;
  readonly #dependents: Dependents;
  /** A worker with nothing to collect, which must survive every fault. */
  readonly #worker: Child;
  readonly #faults = new Map<string, number>();
  readonly #recoveryMs = new Map<string, number>();
  readonly #answeredAgainMs = new Map<string, number>();
  readonly #collections = { done: 0, cutOffButStored: 0, storedNothing: 0 };
  readonly #late: string[] = [];
  #slowestEndMs = 0;
  #slowestServedMs = 0;

  constructor(
    remote: RemoteDatabase,
    processes: ServiceProcesses,
    plan: DatabasePlan,
    writes: AcknowledgedWrites,
    dependents: Dependents,
  ) {
    this.#remote = remote;
    this.#processes = processes;
    this.#plan = plan;
    this.#writes = writes;
    this.#dependents = dependents;
    this.#worker = startChild('bin/pompa', ['worker'], { ...processes.settings, SOURCES: 'manual' }, processes.logFile);
  }

  async checkStart(): Promise<void> {
    await this.#writes.checkRuns([1], [1]);
    await this.#untilAllAnswered('the start');
  }

  async run(round: number): Promise<void> {
    const { seed, faults, onRound } = this.#plan;
    const planned = planFault(faults, seed, round);
    const { name, phase } = planned;
    const interrupted = await this.#startCollection(phase, round);
    await this.#applyFault(planned, seed + round);
    const faultEndedAt = performance.now();
    const answered = this.#untilAllAnswered(name);
    // Awaited below, unless something else fails first.
    answered.catch(() => undefined);
    const end = interrupted === null ? null : await this.#endOf(interrupted, faultEndedAt);
    const free = Math.max(faultEndedAt, interrupted === null ? 0 : performance.now());
    const next = await this.#processes.collect({ leaseMs: USUAL_LEASE_MS });
    const { code: nextCode } = await withDeadline(ENDED_WITHIN_MS, 'the next collection', next.ended);
    if (nextCode !== 0) throw new Error(`after ${name} the next collection ended with ${nextCode}`);
    const collected = performance.now();
    await this.#processes.waitUntilServed(next.collection);
    const recoveryMs = performance.now() - free;
    this.#slowestServedMs = Math.max(this.#slowestServedMs, performance.now() - collected);
    this.#record(planned, recoveryMs, await answered);
    await this.#compare(interrupted, end?.done === true, next.collection);
    const outcome = end === null ? '' : end.done ? ', done' : `, cut off (${end.why})`;
    onRound?.(round, `${name}, collection ${phase}${outcome}; served again after ${(recoveryMs / 1000).toFixed(1)} s`);
  }

  /** Stops every process while the database is unreachable, among them one that never reached it: all exit with 0. */
  async stopDuringBlackHole(): Promise<void> {
    await this.#remote.sendCommand({ kind: 'drop' });
    const late = startChild('bin/pompa', ['serve', '--no-worker'], this.#processes.settings, 'pipe');
    await listeningAddress(late);
    const others = [late, this.#worker].map((child) => child.end().then(() => child.process.exitCode === 0));
    const exitedWell = await Promise.all([...this.#processes.servers.map((server) => server.end()), ...others]);
    if (exitedWell.includes(false)) this.#addViolation(`stopped in a black hole, exited with 0: ${exitedWell}`);
  }

  /** Ends the worker, which the service processes do not include. */
  async close(): Promise<void> {
    await this.#worker.end();
  }

  report(): DatabaseReport {
    const { publications, servers } = this.#processes;
    return {
      faults: this.#faults,
      recoveryMs: this.#recoveryMs,
      answeredAgainMs: this.#answeredAgainMs,
      collections: this.#collections,
      slowestServedMs: this.#slowestServedMs,
      late: this.#late,
      slowestEndMs: this.#slowestEndMs,
      reads: publications.reads,
      slowestAnswerMs: Math.max(...servers.map(({ slowestMs }) => slowestMs)),
      violations: publications.violations,
    };
  }

  /** Starts a collection and waits until it has reached the phase. */
  async #startCollection(phase: CollectionPhase, round: number): Promise<RunningCollection | null> {
    if (phase === 'none') return null;
    const { seed } = this.#plan;
    const requests = new RegisterRequests(this.#processes.world, false);
    const running = await this.#processes.collect({
      leaseMs: SHORT_LEASE_MS,
      onRequest: (number) => requests.record(number),
      captureStderr: true,
    });
    const number = phase === 'publishing' ? requests.last : randomInteger(1, requests.last - 1, seed, 'request', round);
    await Promise.race([requests.whenReached(number), running.ended]);
    if (phase === 'publishing') await sleep(randomInteger(0, PUBLISHES_MS, seed, 'publishing', round));
    return running;
  }

  /** Runs the fault until the database is reachable again, and checks meanwhile what does not depend on it. */
  async #applyFault({ name, fault, lastsMs }: PlannedFault, seed: number): Promise<void> {
    await fault.begin(this.#remote, seed);
    const faultUntil = performance.now() + Math.min(lastsMs, this.#plan.longestMs);
    await this.#askIndependent(name);
    await sleep(Math.max(0, faultUntil - performance.now()));
    await this.#askIndependent(name);
    await fault.end(this.#remote);
    await this.#remote.waitUntilReachable();
  }

  async #askIndependent(fault: string): Promise<void> {
    const independent = this.#processes.servers.flatMap((server) =>
      DATABASE_FREE_PATHS.map((address) =>
        server.ask(address).catch((error: Error) => this.#addViolation(`${fault}: ${address}: ${error.message}`)),
      ),
    );
    const dependent = this.#processes.servers.map(({ address }) => this.#dependents.ask(address, fault));
    await Promise.all([...independent, ...dependent]);
  }

  /** Waits until both servers answer everything as usual; returns how long that took, ms. */
  async #untilAllAnswered(fault: string): Promise<number> {
    await query(await this.#processes.connection(), `update german_budget set recent = '{}'`);
    const when = `after ${fault}`;
    const all = this.#processes.servers.map(({ address }) => this.#dependents.untilAllAnswered(address, when));
    return Math.max(...(await Promise.all(all)));
  }

  /** How a collection hit by a fault ended: done, or failed with one line that says why. */
  async #endOf({ ended }: RunningCollection, faultEndedAt: number): Promise<{ done: boolean; why: string }> {
    const { code, errorOutput } = await withDeadline(ENDED_WITHIN_MS, 'the collection under way', ended);
    this.#slowestEndMs = Math.max(this.#slowestEndMs, performance.now() - faultEndedAt);
    const lines = errorOutput.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    const isExpected = code === 0 ? lines.length === 0 : code === 1 && lines.length === 1;
    if (!isExpected) this.#addViolation(`a collection ended with ${code}: ${errorOutput}`);
    return { done: code === 0, why: lines.join() };
  }

  #record({ name, phase }: PlannedFault, recoveryMs: number, answeredAgainMs: number): void {
    const what = phase === 'none' ? name : `${name}, collection ${phase}`;
    this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
    this.#recoveryMs.set(name, Math.max(recoveryMs, this.#recoveryMs.get(name) ?? 0));
    if (recoveryMs > RECOVERED_WITHIN_MS) this.#late.push(`${what}: served again after ${Math.round(recoveryMs)} ms`);
    this.#answeredAgainMs.set(name, Math.max(answeredAgainMs, this.#answeredAgainMs.get(name) ?? 0));
    if (answeredAgainMs > RECOVERED_WITHIN_MS)
      this.#late.push(`${what}: answered as usual after ${Math.round(answeredAgainMs)} ms`);
  }

  /** Compares database, answers and disk with the oracle. */
  async #compare(interrupted: RunningCollection | null, done: boolean, last: number): Promise<void> {
    const { servers, oracle, publications } = this.#processes;
    const attempted = interrupted === null ? [last] : [interrupted.collection, last];
    const found = await this.#writes.checkRuns(attempted, done ? attempted : [last]);
    if (interrupted !== null) this.#count(done, found.includes(interrupted.collection));
    if (
      interrupted !== null &&
      publications.seen.has(interrupted.collection) &&
      !found.includes(interrupted.collection)
    ) {
      this.#addViolation(`collection ${interrupted.collection} was served and is not stored`);
    }
    await this.#writes.checkFacts(last);
    for (const server of servers) {
      server.checkOrder((collection) => collection);
      await server.compare(last, oracle.ids.slice(-5));
    }
    await waitFor(
      'the last good state',
      LAST_GOOD_WITHIN_MS,
      async () => (await lastGoodCollection(this.#processes)) === last,
    );
  }

  #count(done: boolean, stored: boolean): void {
    this.#collections[done ? 'done' : stored ? 'cutOffButStored' : 'storedNothing'] += 1;
  }

  #addViolation(sentence: string): void {
    this.#processes.publications.addViolation(sentence);
  }
}
