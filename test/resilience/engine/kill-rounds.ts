/** Rounds of `kill -9` while readers read: who is hit and when is the seed's choice; afterwards all must be as if nothing had been. */
import { performance } from 'node:perf_hooks';
import { sigkill } from '../../support/database/embedded-database.ts';
import { AcknowledgedWrites, type HistoryImport } from './acknowledged-writes.ts';
import { checkAbandoned, countPartialFiles, lastGoodCollection } from './artefacts.ts';
import { Cluster, type RunningCollection } from './cluster.ts';
import { CollectionWatcher, type Kill, killOf, pidOf } from './kill-targets.ts';
import { RegisterRequests } from './register-requests.ts';
import { withDeadline } from './with-deadline.ts';

export type KillPlan = {
  /** Kills that there must be; a round that came too late for its victim is followed by another. */
  readonly kills: number;
  readonly seed: number;
  /** Lease of the collectors that may be killed, ms: the next one waits for its end. */
  readonly leaseMs: number;
  /** Every so many rounds the one that may be killed is `bin/pompa collect`, with the lease of every day; 0 = never. */
  readonly plainEvery: number;
  /** Every so many rounds the collection after the kill is `bin/pompa collect`, else one of a few units; 0 = never. */
  readonly plainRecoveryEvery: number;
  readonly onRound?: (round: number, line: string) => void;
};

export type KillReport = {
  /** Victim and phase → how often somebody was killed. */
  readonly kills: ReadonlyMap<string, number>;
  /** Rounds in which the victim had ended before. */
  readonly tooLate: number;
  readonly collections: { acknowledged: number; cutOffButStored: number; storedNothing: number };
  readonly imports: number;
  readonly reads: number;
  /** First answers after a start that were older than the newest publication: from the last good state. */
  readonly staleStarts: number;
  readonly slowestRecoveryMs: number;
  readonly halfWritten: { lastGood: number; archive: number };
  readonly violations: readonly string[];
};

const USUAL_LEASE_MS = 30_000;
const COLLECTED_WITHIN_MS = 90_000;
/** Every so many rounds days are imported beside the collection; every second of these imports is killed too. */
const IMPORT_EVERY = 2;
const IMPORT_LASTS_MS = 900;
const COMPARED_HISTORIES = 5;
/** Of so many rounds a kill, all but these may be too late. */
const ROUNDS_PER_KILL = 1.25;

/** Runs the rounds on a stage of their own. Rejects when the stage itself cannot be set up or brought back. */
export async function killRounds(plan: KillPlan): Promise<KillReport> {
  const cluster = new Cluster();
  try {
    await cluster.open(USUAL_LEASE_MS);
    const watcher = await CollectionWatcher.start(cluster);
    const rounds = new KillRounds(cluster, plan, watcher, await AcknowledgedWrites.create(cluster));
    await rounds.checkStart();
    const continues = () => cluster.publications.violations.length === 0;
    const most = Math.ceil(ROUNDS_PER_KILL * plan.kills);
    for (let round = 0; rounds.killCount < plan.kills && round < most && continues(); round += 1)
      await rounds.run(round);
    await watcher.close();
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}; ${cluster.publications.violations.join('; ')}\n${cluster.log()}`, {
      cause: error,
    });
  } finally {
    await cluster.close();
  }
}

type RunningImport = { readonly write: HistoryImport; readonly ended: Promise<unknown> };

class KillRounds {
  readonly #cluster: Cluster;
  readonly #plan: KillPlan;
  readonly #watcher: CollectionWatcher;
  readonly #writes: AcknowledgedWrites;
  readonly #kills = new Map<string, number>();
  #tooLate = 0;
  readonly #collections = { acknowledged: 0, cutOffButStored: 0, storedNothing: 0 };
  /** The newest collection that was found in the last good state. */
  #lastGood = 0;
  #slowestRecoveryMs = 0;

  constructor(cluster: Cluster, plan: KillPlan, watcher: CollectionWatcher, writes: AcknowledgedWrites) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.#watcher = watcher;
    this.#writes = writes;
  }

  /** Takes the publication that the stage opened with into the books. */
  async checkStart(): Promise<void> {
    await this.#writes.checkRuns([1], [1]);
  }

  /** How many kills there were so far. */
  get killCount(): number {
    return [...this.#kills.values()].reduce((sum, count) => sum + count, 0);
  }

  async run(round: number): Promise<void> {
    const { seed, leaseMs, plainEvery, plainRecoveryEvery } = this.#plan;
    const kill = killOf(seed, round);
    const plain = isTurn(round, plainEvery);
    const requests = new RegisterRequests(this.#cluster.world, plain);
    const killMoment = this.#watcher.untilPhase(kill, requests);
    const running = await this.#cluster.collect({
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
    const { publications, servers } = this.#cluster;
    return {
      kills: this.#kills,
      tooLate: this.#tooLate,
      collections: this.#collections,
      imports: this.#writes.imports,
      reads: publications.reads,
      staleStarts: servers.reduce((sum, { staleStarts }) => sum + staleStarts, 0),
      slowestRecoveryMs: this.#slowestRecoveryMs,
      halfWritten: countPartialFiles(this.#cluster),
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

  /** False when there was nobody left to kill. */
  async #killTarget(kill: Kill, { child }: RunningCollection): Promise<boolean> {
    const { target } = kill;
    if (target === 'server') return this.#killServer(kill).then(() => true);
    const gone = child.process.exitCode !== null || child.process.signalCode !== null;
    const collector = gone ? undefined : child.pid;
    const pid = target === 'collector' ? collector : await pidOf(target, this.#cluster, kill);
    if (pid !== undefined) sigkill(pid);
    return pid !== undefined;
  }

  /** As a service manager would: killed, and started again at once. */
  async #killServer({ chance }: Kill): Promise<void> {
    const { servers } = this.#cluster;
    const server = servers[Math.floor(servers.length * chance('server'))] ?? servers[0];
    await server?.kill();
    this.#recordLastGood(await lastGoodCollection(this.#cluster));
    await server?.start(this.#lastGood);
    server?.startReading();
  }

  #import({ chance }: Kill, killed: boolean): RunningImport {
    const write = this.#writes.nextImport();
    const { child, ended } = this.#cluster.importDays(write.rows);
    const timer = killed ? setTimeout(() => sigkill(child.pid), IMPORT_LASTS_MS * chance('import')) : undefined;
    const settled = ended.then(({ code }) => {
      clearTimeout(timer);
      if (code === 0) this.#writes.acknowledge(write);
      return code;
    });
    return { write, ended: settled.then((code) => (code === 0 ? undefined : this.#cutOff.push(write))) };
  }

  /** Imports that were not acknowledged: looked at when the database is there again. */
  readonly #cutOff: HistoryImport[] = [];

  /** The next collection, which nobody helps. */
  async #recover(plain: boolean): Promise<number> {
    const begun = performance.now();
    const next = await this.#cluster.collect({ leaseMs: plain ? null : USUAL_LEASE_MS });
    const { code } = await withDeadline(COLLECTED_WITHIN_MS, 'the next collection', next.ended);
    if (code !== 0) throw new Error(`the collection after the kill ended with ${code}`);
    this.#slowestRecoveryMs = Math.max(this.#slowestRecoveryMs, performance.now() - begun);
    await this.#cluster.waitUntilServed(next.collection);
    return next.collection;
  }

  async #compare(running: RunningCollection, acknowledged: boolean, recovery: number): Promise<void> {
    const { servers, oracle, publications } = this.#cluster;
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
    this.#recordLastGood(await lastGoodCollection(this.#cluster));
    checkAbandoned(this.#cluster);
  }

  #count(acknowledged: boolean, stored: boolean): void {
    this.#collections.acknowledged += acknowledged ? 2 : 1;
    if (!acknowledged) this.#collections[stored ? 'cutOffButStored' : 'storedNothing'] += 1;
  }

  /** What is kept never becomes older. */
  #recordLastGood(collection: number): void {
    if (collection < this.#lastGood) {
      this.#cluster.publications.addViolation(
        `the last good state is of ${collection}, it was of ${this.#lastGood} before`,
      );
    }
    this.#lastGood = Math.max(this.#lastGood, collection);
  }
}

function isTurn(round: number, every: number): boolean {
  return every > 0 && round % every === every - 1;
}
