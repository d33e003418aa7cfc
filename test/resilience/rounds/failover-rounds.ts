/** Rounds in which the leader of a cluster of PostgreSQL is lost, or hands over, under load. */
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { randomInteger } from '../../../src/simulation/country/seeded-random.ts';
import { insertKeys } from '../../support/builders/key-fixture.ts';
import { waitFor } from '../../support/database/embedded-database.ts';
import { type Child, startChild } from '../../support/processes/child-process.ts';
import { type FailoverKind, LeaderLoss } from '../cluster/leader-loss.ts';
import { PatroniCluster } from '../cluster/patroni-cluster.ts';
import type { PatroniNode } from '../cluster/patroni-node.ts';
import { AcknowledgedWrites } from '../engine/acknowledged-writes.ts';
import { Clients, type KeyAnswer } from '../engine/clients.ts';
import { Dependents, type ExternalServices, startExternalServices } from '../engine/dependents.ts';
import { compareCounts, insertKeyHolders } from '../engine/key-holders.ts';
import { RegisterRequests } from '../engine/register-requests.ts';
import { type RunningCollection, ServiceProcesses } from '../engine/service-processes.ts';
import { withDeadline } from '../engine/with-deadline.ts';

/** Times in ms. */
export type FailoverTimes = {
  readonly kind: FailoverKind;
  /** From the loss until another server accepted a write. */
  readonly writableMs: number;
  /** From then until a write through HAProxy succeeded. */
  readonly proxyMs: number;
  /** From then until the last answer to a request with a key that was neither 200 nor 429; 0 if there was none. */
  readonly refusedMs: number;
  /** From the same moment until each server had answered a key with 200. */
  readonly answeredMs: number;
  /** Until everything that needs the database was answered as usual, by one of the servers. */
  readonly allAnsweredMs: number;
  /** Answers of 503 to keys. */
  readonly refusals: number;
};

export type FailoverReport = {
  readonly times: readonly FailoverTimes[];
  readonly accepted: number;
  readonly unavailable: number;
  /** Requests that nobody answered 200, and that are counted. */
  readonly countedUnanswered: number;
  readonly quotasUsedUp: number;
  readonly reads: number;
  readonly slowestReadMs: number;
  readonly collections: { readonly done: number; readonly cutOff: number };
  readonly violations: readonly string[];
};

const SERVERS = ['A', 'B', 'C', 'D'];
const BIG_QUOTA = 1_000_000;
const BIG_KEYS = 12;
/** Each of these is used up in another round. */
const SMALL_QUOTAS = [20, 60, 100, 140, 180, 220];
/** Leaves the CPU to the servers of the cluster. */
const READER_PAUSE_MS = 120;
const DEPENDENT_KEYS = 60;
const LEASE_MS = 3_000;
const ENDED_WITHIN_MS = 100_000;
/** Load before a loss, at most, and from the moment of the new leader on. */
const LOAD_BEFORE_MS = 2_000;
const LOAD_AFTER_MS = 6_000;
/** For how long a leader that is cut off is still reached by clients. */
const REACHABLE_MS = [1_000, 3_000] as const;
const ANSWERED_WITHIN_MS = 10_000;

export class FailoverRounds {
  readonly #cluster: PatroniCluster;
  readonly #processes: ServiceProcesses;
  readonly #seed: number;
  /** A worker with nothing to collect, which must survive every loss. */
  #worker: Child | undefined;
  #clients: Clients | undefined;
  #dependents: Dependents | undefined;
  #writes: AcknowledgedWrites | undefined;
  #pids: readonly number[] = [];
  #answers: KeyAnswer[] = [];
  readonly #times: FailoverTimes[] = [];
  readonly #collections = { done: 0, cutOff: 0 };
  #countedUnanswered = 0;
  #round = 0;

  /** Starts the cluster, four servers on it, and a worker. */
  static async open(seed: number): Promise<FailoverRounds> {
    const cluster = await PatroniCluster.start();
    const rounds = new FailoverRounds(cluster, await startExternalServices(), seed);
    try {
      await rounds.#open();
      return rounds;
    } catch (error) {
      const log = rounds.#processes.log();
      await rounds.close();
      throw new Error(`${(error as Error).message}\n${log}`, { cause: error });
    }
  }

  private constructor(cluster: PatroniCluster, externalServices: ExternalServices, seed: number) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-failover-'));
    this.#cluster = cluster;
    this.#seed = seed;
    this.#processes = new ServiceProcesses({
      folder,
      settings: { ...externalServices.settings, DATABASE_URL: cluster.url },
      servers: new Map(SERVERS.map((name) => [name, { DATA_DIR: path.join(folder, `data-${name}`) }])),
      readerPauseMs: READER_PAUSE_MS,
      answeredWithinMs: ANSWERED_WITHIN_MS,
      database: cluster.connection,
      onEnd: async () => {
        await cluster.close();
        await externalServices.close();
      },
    });
  }

  /** Loses the leader once, and compares everything with what was acknowledged. */
  async run(kind: FailoverKind): Promise<FailoverTimes> {
    const round = this.#round;
    this.#round += 1;
    const { leader } = await this.#cluster.untilHealthy();
    this.#answers = [];
    this.#clients?.start();
    await sleep(randomInteger(0, LOAD_BEFORE_MS, this.#seed, 'moment', round));
    const interrupted = await this.#startCollection(round);
    const loss = new LeaderLoss(this.#cluster, kind, leader);
    const measured = await this.#lose(loss, round);
    const done = await this.#endOf(interrupted);
    const next = await this.#publish();
    await this.#clients?.stop();
    await loss.end();
    // What a leader that comes back has stored alone must not replace what was acknowledged since.
    await this.#cluster.untilHealthy();
    await this.#compare(interrupted, done, next, kind);
    this.#times.push(measured);
    return measured;
  }

  /** Addresses of the database for one more process: through HAProxy, and on a standby. */
  async databaseUrls(): Promise<{ readonly leading: string; readonly standby: string }> {
    const { leader } = await this.#cluster.untilHealthy();
    const standby = this.#cluster.nodes.find((node) => node !== leader) as PatroniNode;
    return { leading: this.#cluster.url, standby: this.#cluster.urlOf(standby.port) };
  }

  get violations(): readonly string[] {
    return this.#processes.publications.violations;
  }

  report(): FailoverReport {
    const { publications, servers } = this.#processes;
    const holders = this.#clients?.holders ?? [];
    return {
      times: this.#times,
      accepted: holders.reduce((sum, { accepted }) => sum + accepted, 0),
      unavailable: holders.reduce((sum, { unavailable }) => sum + unavailable, 0),
      countedUnanswered: this.#countedUnanswered,
      quotasUsedUp: holders.filter(({ quota, used }) => used.has(quota)).length,
      reads: publications.reads,
      slowestReadMs: Math.max(...servers.map(({ slowestMs }) => slowestMs)),
      collections: this.#collections,
      violations: publications.violations,
    };
  }

  /** Ends and deletes everything. */
  async close(): Promise<void> {
    await this.#clients?.stop();
    await this.#worker?.end();
    await this.#processes.close();
  }

  async #open(): Promise<void> {
    const processes = this.#processes;
    await processes.open(LEASE_MS);
    this.#pids = processes.servers.map(({ pid }) => pid);
    const settings = { ...processes.settings, SOURCES: 'manual' };
    this.#worker = startChild('bin/pompa', ['worker'], settings, processes.logFile);
    const quotas = [...SMALL_QUOTAS, ...Array.from({ length: BIG_KEYS }, () => BIG_QUOTA)];
    const onViolation = (sentence: string) => processes.publications.addViolation(sentence);
    this.#clients = new Clients({
      ...{ seed: this.#seed, servers: processes.servers, visitors: false, onViolation },
      holders: await insertKeyHolders(this.#cluster.connection, quotas),
      onKeyAnswer: (answer) => this.#record(answer),
    });
    const client = new pg.Client(this.#cluster.connection);
    await client.connect();
    const keys = await insertKeys(client, DEPENDENT_KEYS).finally(() => client.end());
    const station = processes.oracle.ids[0] as string;
    this.#dependents = new Dependents({ keys, station, answeredWithinMs: ANSWERED_WITHIN_MS, onViolation });
    this.#writes = await AcknowledgedWrites.create(processes);
    await this.#writes.checkRuns([1], [1]);
  }

  #record(answer: KeyAnswer): void {
    this.#answers.push(answer);
    // No process ends: each owes an answer.
    if (answer.status === 'lost') this.#addViolation('a request with a key got no answer');
  }

  /** A collection that asks its source, or publishes, when the leader is lost. */
  async #startCollection(round: number): Promise<RunningCollection> {
    const requests = new RegisterRequests(this.#processes.world, false);
    const running = await this.#processes.collect({
      leaseMs: LEASE_MS,
      onRequest: (number) => requests.record(number),
      captureStderr: true,
    });
    const half = Math.floor(requests.last / 2);
    await Promise.race([requests.whenReached(round % 2 === 0 ? requests.last : half), running.ended]);
    return running;
  }

  async #lose(loss: LeaderLoss, round: number): Promise<FailoverTimes> {
    const { kind, leader } = loss;
    const { address } = this.#processes.servers[round % SERVERS.length] as { address: string };
    const lostAt = performance.now();
    const asked = this.#dependents?.ask(address, kind);
    const [{ at: writableAt }] = await Promise.all([
      this.#cluster.untilWritable(leader),
      loss.begin(randomInteger(...REACHABLE_MS, this.#seed, 'reachable', round)),
    ]);
    const all = this.#dependents?.untilAllAnswered(address, `after ${kind}`);
    const proxyAt = await this.#cluster.untilWritableThroughProxy();
    const answeredBy = (address: string) => (each: KeyAnswer) =>
      each.server === address && each.answeredAt > writableAt && each.status === 200;
    const hasEachAnswered = () =>
      this.#processes.servers.every((server) => this.#answers.some(answeredBy(server.address)));
    const answeredByAll = waitFor('an answer to a key by each server', ENDED_WITHIN_MS, hasEachAnswered);
    await Promise.all([asked, all, answeredByAll, sleep(LOAD_AFTER_MS)]);
    const isUsual = ({ status }: KeyAnswer) => status === 200 || status === 429;
    const since = this.#answers.filter(({ answeredAt }) => answeredAt > lostAt);
    const refusedUntil = Math.max(writableAt, ...since.filter((each) => !isUsual(each)).map((each) => each.answeredAt));
    const answered = this.#processes.servers.map((server) => since.find(answeredBy(server.address)) as KeyAnswer);
    return {
      kind,
      writableMs: writableAt - lostAt,
      proxyMs: proxyAt - writableAt,
      refusedMs: refusedUntil - writableAt,
      answeredMs: Math.max(...answered.map(({ answeredAt }) => answeredAt - writableAt)),
      allAnsweredMs: (await all) ?? 0,
      refusals: since.filter(({ status }) => status === 503).length,
    };
  }

  /** Whether the collection under way was acknowledged; if not, one line says why. */
  async #endOf({ ended }: RunningCollection): Promise<boolean> {
    const { code, errorOutput } = await withDeadline(ENDED_WITHIN_MS, 'the collection under way', ended);
    const lines = errorOutput.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    const isExpected = code === 0 ? lines.length === 0 : code === 1 && lines.length === 1;
    if (!isExpected) this.#addViolation(`a collection ended with ${code}: ${errorOutput}`);
    this.#collections[code === 0 ? 'done' : 'cutOff'] += 1;
    return code === 0;
  }

  /** Another process gets the lease, and all servers serve what it publishes; resolves with its number. */
  async #publish(): Promise<number> {
    const { collection, ended } = await this.#processes.collect({ leaseMs: LEASE_MS });
    const { code } = await withDeadline(ENDED_WITHIN_MS, 'the next collection', ended);
    if (code !== 0) throw new Error(`the next collection ended with ${code}\n${this.#processes.log()}`);
    await this.#processes.waitUntilServed(collection);
    return collection;
  }

  /** Compares counts, runs and answers with what was acknowledged. */
  async #compare(interrupted: RunningCollection, done: boolean, next: number, kind: FailoverKind): Promise<void> {
    const { servers, publications, oracle } = this.#processes;
    const counts = await compareCounts(this.#cluster.connection, this.#clients?.holders ?? []);
    this.#countedUnanswered = counts.unanswered;
    for (const sentence of counts.violations) this.#addViolation(`${kind}: ${sentence}`);
    const attempted = [interrupted.collection, next];
    const stored = await this.#writes?.checkRuns(attempted, done ? attempted : [next]);
    if (publications.seen.has(interrupted.collection) && !stored?.includes(interrupted.collection))
      this.#addViolation(`${kind}: collection ${interrupted.collection} was served and is not stored`);
    await this.#writes?.checkFacts(next);
    for (const server of servers) server.checkOrder((collection) => collection);
    await Promise.all(servers.map((server) => server.compare(next, oracle.ids.slice(-3))));
    const pids = servers.map(({ pid }) => pid);
    const worker = this.#worker?.process;
    if (String(pids) !== String(this.#pids) || servers.some(({ isRunning }) => !isRunning))
      this.#addViolation(`${kind}: a server ended`);
    if (worker?.exitCode !== null || worker.signalCode !== null) this.#addViolation(`${kind}: the worker ended`);
  }

  #addViolation(sentence: string): void {
    this.#processes.publications.addViolation(sentence);
  }
}
