/**
 * Rounds of `kill -9` while readers read. The seed chooses which process is killed, and when; the next collection must
 * leave everything as if no kill had happened.
 */
import { performance } from 'node:perf_hooks';
import { sigkill } from '../../support/database/embedded-database.ts';
import { AcknowledgedWrites, type HistoryImport } from '../engine/acknowledged-writes.ts';
import { checkAbandoned, countPartialFiles, lastGoodCollection } from '../engine/artefacts.ts';
import { CollectionWatcher, type Kill, killOf, pidOf } from '../engine/kill-targets.ts';
import { RegisterRequests } from '../engine/register-requests.ts';
import { type RunningCollection, ServiceProcesses } from '../engine/service-processes.ts';
import { withDeadline } from '../engine/with-deadline.ts';

export type KillPlan = {
  /** The number of kills; a round whose target had already exited is followed by another one. */
  readonly kills: number;
  readonly seed: number;
  /** The lease of collectors that may be killed, ms: the next collector waits until it expires. */
  readonly leaseMs: number;
  /** How often the collector that may be killed is `bin/pompa collect`, with its usual lease, in rounds; 0 = never. */
  readonly plainEvery: number;
  /** How often the collection after the kill is `bin/pompa collect`, not one of a few units, in rounds; 0 = never. */
  readonly plainRecoveryEvery: number;
  readonly onRound?: (round: number, line: string) => void;
};

export type KillReport = {
  /** Target and phase → number of kills. */
  readonly kills: ReadonlyMap<string, number>;
  /** Rounds in which the target had already exited. */
  readonly tooLate: number;
  readonly collections: { acknowledged: number; cutOffButStored: number; storedNothing: number };
  readonly imports: number;
  readonly reads: number;
  /** Starts whose first answer was from an older publication, that of the last good state. */
  readonly staleStarts: number;
  readonly slowestRecoveryMs: number;
  readonly halfWritten: { lastGood: number; archive: number };
  readonly violations: readonly string[];
};

const USUAL_LEASE_MS = 30_000;
const COLLECTED_WITHIN_MS = 90_000;
/** How often days are imported alongside the collection, in rounds; every second import is killed too. */
const IMPORT_EVERY = 2;
const IMPORT_LASTS_MS = 900;
const COMPARED_HISTORIES = 5;
/** The most rounds per kill: this many rounds may come too late for their target. */
const ROUNDS_PER_KILL = 1.25;

/** Runs the rounds with service processes of their own; rejects when those cannot be started or do not recover. */
export async function killRounds(plan: KillPlan): Promise<KillReport> {
  const processes = new ServiceProcesses();
  try {
    await processes.open(USUAL_LEASE_MS);
    const watcher = await CollectionWatcher.start(processes);
    const rounds = new KillRounds(processes, plan, watcher, await AcknowledgedWrites.create(processes));
    await rounds.checkStart();
    const continues = () => processes.publications.violations.length === 0;
    const most = Math.ceil(ROUNDS_PER_KILL * plan.kills);
    for (let round = 0; rounds.killCount < plan.kills && round < most && continues(); round += 1)
      await rounds.run(round);
    await watcher.close();
    return rounds.report();
  } catch (error) {
    throw new Error(
      `${(error as Error).message}; ${processes.publications.violations.join('; ')}\n${processes.log()}`,
      {
        cause: error,
      },
    );
  } finally {
    await processes.close();
  }
}

type RunningImport = { readonly write: HistoryImport; readonly ended: Promise<unknown> };

class KillRounds {
  readonly #processes: ServiceProcesses;
  readonly #plan: KillPlan;
  readonly #watcher: CollectionWatcher;
  readonly #writes: AcknowledgedWrites;
  readonly #kills = new Map<string, number>();
  #tooLate = 0;
  readonly #collections = { acknowledged: 0, cutOffButStored: 0, storedNothing: 0 };
  /** The newest collection that was found in the last good state. */
  #lastGood = 0;
  #slowestRecoveryMs = 0;

  constructor(processes: ServiceProcesses, plan: KillPlan, watcher: CollectionWatcher, writes: AcknowledgedWrites) {
    this.#processes = processes;
    this.#plan = plan;
    this.#watcher = watcher;
    this.#writes = writes;
  }

  /** Records the publication that the service processes started with. */
  async checkStart(): Promise<void> {
    await this.#writes.checkRuns([1], [1]);
  }

  /** Kills so far. */
  get killCount(): number {
    return [...this.#kills.values()].reduce((sum, count) => sum + count, 0);
  }

  async run(round: number): Promise<void> {
    const { seed, leaseMs, plainEvery, plainRecoveryEvery } = this.#plan;
    const kill = killOf(seed, round);
    const plain = isTurn(round, plainEvery);
    const requests = new RegisterRequests(this.#processes.world, plain);
    const killMoment = this.#watcher.untilPhase(kill, requests);
    const running = await this.#processes.collect({
      leaseMs: plain ? null : leaseMs,
      onRequest: (number) => requests.record(number),
    });
    const importing = round % IMPORT_EVERY === 0 ? this.#import(kill, round % (2 * IMPORT_EVERY) === 0) : null;
    await Promise.race([killMoment, running.ended]);
    const killed = await this.#attemptKill(kill, running);
    const { code } = await withDeadline(COLLECTED_WITHIN_MS, 'the end of the collection', running.ended);
    await importing?.ended;
    const recovery = await this.#recover(isTurn(round, plainRecoveryEvery));
    await this.#compare(running, code === 0, recovery);
    this.#plan.onRound?.(
      round,
      `${kill.target} at ${kill.phase}${plain ? ', plain' : ''}: ${killed ? '' : 'too late, '}${code === 0 ? 'done' : 'cut off'}`,
    );
  }

  report(): KillReport {
    const { publications, servers } = this.#processes;
    return {
      kills: this.#kills,
      tooLate: this.#tooLate,
      collections: this.#collections,
      imports: this.#writes.imports,
      reads: publications.reads,
      staleStarts: servers.reduce((sum, { staleStarts }) => sum + staleStarts, 0),
      slowestRecoveryMs: this.#slowestRecoveryMs,
      halfWritten: countPartialFiles(this.#processes),
      violations: publications.violations,
    };
  }

  async #attemptKill(kill: Kill, running: RunningCollection): Promise<boolean> {
    const killed = await this.#killTarget(kill, running);
    const name = `${kill.target}, ${kill.phase}`;
    if (killed) this.#kills.set(name, (this.#kills.get(name) ?? 0) + 1);
    else this.#tooLate += 1;
    return killed;
  }

  /** Returns false when the target had already exited. */
  async #killTarget(kill: Kill, { child }: RunningCollection): Promise<boolean> {
    const { target } = kill;
    if (target === 'server') return this.#killServer(kill).then(() => true);
    const gone = child.process.exitCode !== null || child.process.signalCode !== null;
    const collector = gone ? undefined : child.pid;
    const pid = target === 'collector' ? collector : await pidOf(target, this.#processes, kill);
    if (pid !== undefined) sigkill(pid);
    return pid !== undefined;
  }

  /** Kills a server and starts it again at once, as a service manager would. */
  async #killServer({ random }: Kill): Promise<void> {
    const { servers } = this.#processes;
    const server = servers[Math.floor(servers.length * random('server'))] ?? servers[0];
    await server?.kill();
    this.#recordLastGood(await lastGoodCollection(this.#processes));
    await server?.start(this.#lastGood);
    server?.startReading();
  }

  #import({ random }: Kill, killed: boolean): RunningImport {
    const write = this.#writes.nextImport();
    const { child, ended } = this.#processes.importDays(write.rows);
    const timer = killed ? setTimeout(() => sigkill(child.pid), IMPORT_LASTS_MS * random('import')) : undefined;
    const settled = ended.then(({ code }) => {
      clearTimeout(timer);
      if (code === 0) this.#writes.acknowledge(write);
      return code;
    });
    return { write, ended: settled.then((code) => (code === 0 ? undefined : this.#cutOff.push(write))) };
  }

  /** Imports that were not acknowledged, to be checked when the database is back. */
  readonly #cutOff: HistoryImport[] = [];

  /** Runs the next collection, which must repair everything. */
  async #recover(plain: boolean): Promise<number> {
    const begun = performance.now();
    const next = await this.#processes.collect({ leaseMs: plain ? null : USUAL_LEASE_MS });
    const { code } = await withDeadline(COLLECTED_WITHIN_MS, 'the next collection', next.ended);
    if (code !== 0) throw new Error(`the collection after the kill ended with ${code}`);
    this.#slowestRecoveryMs = Math.max(this.#slowestRecoveryMs, performance.now() - begun);
    await this.#processes.waitUntilServed(next.collection);
    return next.collection;
  }

  async #compare(running: RunningCollection, acknowledged: boolean, recovery: number): Promise<void> {
    const { servers, oracle, publications } = this.#processes;
    const found = await this.#writes.checkRuns(
      [running.collection, recovery],
      acknowledged ? [running.collection, recovery] : [recovery],
    );
    this.#count(acknowledged, found.includes(running.collection));
    if (publications.seen.has(running.collection) && !found.includes(running.collection)) {
      publications.addViolation(`collection ${running.collection} was served and is not stored`);
    }
    for (const write of this.#cutOff.splice(0)) await this.#writes.checkInterruptedImport(write);
    await this.#writes.checkFacts(recovery);
    for (const server of servers) {
      server.checkOrder((collection) => collection);
      await server.compare(recovery, oracle.ids.slice(-COMPARED_HISTORIES));
      await this.#writes.checkServedDays((address) => server.ask(address));
    }
    this.#recordLastGood(await lastGoodCollection(this.#processes));
    checkAbandoned(this.#processes);
  }

  #count(acknowledged: boolean, stored: boolean): void {
    this.#collections.acknowledged += acknowledged ? 2 : 1;
    if (!acknowledged) this.#collections[stored ? 'cutOffButStored' : 'storedNothing'] += 1;
  }

  /** The last good state never becomes older. */
  #recordLastGood(collection: number): void {
    if (collection < this.#lastGood) {
      this.#processes.publications.addViolation(
        `the last good state is from collection ${collection}, before it was from ${this.#lastGood}`,
      );
    }
    this.#lastGood = Math.max(this.#lastGood, collection);
  }
}

function isTurn(round: number, every: number): boolean {
  return every > 0 && round % every === every - 1;
}
