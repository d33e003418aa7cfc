/** Rounds in which the database is the part that fails, while readers read and collectors collect. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { whole } from '../../../src/simulation/country/seeded-random.ts';
import { type Child, listening, start } from '../../support/child-process.ts';
import { query, until } from '../../support/embedded-database.ts';
import { giveOutKeys } from '../../support/key-fixture.ts';
import { Ledger } from './acknowledged-writes.ts';
import { keptCollection } from './artefacts.ts';
import { type Running, Stage } from './cluster.ts';
import { type FaultName, type Moment, type Trouble, troubleOf } from './database-faults.ts';
import { Dependents, openOutside } from './dependents.ts';
import { Questions } from './register-requests.ts';
import { Remote } from './remote-database.ts';
import { within } from './within.ts';

export type DatabasePlan = {
  readonly rounds: number;
  readonly seed: number;
  readonly faults: readonly FaultName[];
  /** Whether the disks should be small ones of their own. */
  readonly smallDisks: boolean;
  /** How long a fault may last at the most, ms. */
  readonly longestMs: number;
  /** An answer that takes longer is a violation, ms. */
  readonly answeredWithinMs: number;
  /** Ends the run after the round that is under way. */
  readonly signal?: AbortSignal;
  readonly onRound?: (round: number, line: string) => void;
};

export type DatabaseReport = {
  /** Fault and moment → how often. */
  readonly faults: ReadonlyMap<string, number>;
  /** Fault → the longest time from its end until a collection begun then was in every answer, ms. */
  readonly recoveryMs: ReadonlyMap<string, number>;
  /** Fault → the longest time from its end until every question that needs the database was answered as usual, ms. */
  readonly answeredAgainMs: ReadonlyMap<string, number>;
  /** The part of the former from the end of that collection, at the longest, ms. */
  readonly slowestServedMs: number;
  /** What was served or answered again later than promised, which a machine with other work may be to blame for. */
  readonly late: readonly string[];
  /** Collections that a fault came upon. */
  readonly collections: { done: number; cutOffButStored: number; storedNothing: number };
  /** The longest time from the end of a fault until such a collection had ended, ms. */
  readonly slowestEndMs: number;
  readonly reads: number;
  readonly slowestAnswerMs: number;
  readonly violations: readonly string[];
};

const RECOVERED_WITHIN_MS = 5_000;
const KEPT_WITHIN_MS = 30_000;
/** A collection whose publication hangs gives up sooner. */
const ENDED_WITHIN_MS = 100_000;
/** Of a collection that may be cut off and cannot give its lease back. */
const SHORT_LEASE_MS = 1_000;
const USUAL_LEASE_MS = 30_000;
/** How long a publication lasts, ms. */
const PUBLISHES_MS = 150;
/** Shared by two servers, each asked all of it in a few seconds. */
const KEYS = 100;
/** Answers whose status does not depend on the database, and that are not asked for by the readers. */
const OTHERS = ['/livez', '/readyz', '/api/v1/health', '/openapi.json', '/'];

/** Runs the rounds on a stage of their own. Rejects when that cannot be set up or brought back. */
export async function databaseRounds(plan: DatabasePlan): Promise<DatabaseReport> {
  const remote = await Remote.open(plan.smallDisks);
  const outside = await openOutside();
  const stage = new Stage({
    folder: remote.folder,
    settings: { ...outside.settings, DATABASE_URL: remote.url },
    answeredWithinMs: plan.answeredWithinMs,
    onEnd: async () => {
      await remote.close();
      await outside.close();
    },
  });
  let rounds: DatabaseRounds | undefined;
  try {
    await stage.open(USUAL_LEASE_MS);
    rounds = new DatabaseRounds(remote, stage, plan, await Ledger.of(stage), await dependentsOf(stage, plan));
    await rounds.first();
    const goesOn = () => stage.publications.violations.length === 0 && plan.signal?.aborted !== true;
    for (let round = 0; round < plan.rounds && goesOn(); round += 1) await rounds.run(round);
    if (goesOn()) await rounds.endInBlackHole();
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}; ${stage.publications.violations.join('; ')}\n${stage.log()}`, {
      cause: error,
    });
  } finally {
    await rounds?.close();
    await stage.close();
  }
}

async function dependentsOf(stage: Stage, { answeredWithinMs }: DatabasePlan): Promise<Dependents> {
  const client = new pg.Client(await stage.connection());
  await client.connect();
  const keys = await giveOutKeys(client, KEYS).finally(() => client.end());
  return new Dependents({
    keys,
    station: stage.oracle.ids[0] as string,
    answeredWithinMs,
    complain: (sentence) => stage.publications.complain(sentence),
  });
}

class DatabaseRounds {
  readonly #remote: Remote;
  readonly #stage: Stage;
  readonly #plan: DatabasePlan;
  readonly #ledger: Ledger;
  readonly #dependents: Dependents;
  /** A worker with nothing to collect, which must live through it all. */
  readonly #worker: Child;
  readonly #faults = new Map<string, number>();
  readonly #recoveryMs = new Map<string, number>();
  readonly #answeredAgainMs = new Map<string, number>();
  readonly #collections = { done: 0, cutOffButStored: 0, storedNothing: 0 };
  readonly #late: string[] = [];
  #slowestEndMs = 0;
  #slowestServedMs = 0;

  constructor(remote: Remote, stage: Stage, plan: DatabasePlan, ledger: Ledger, dependents: Dependents) {
    this.#remote = remote;
    this.#stage = stage;
    this.#plan = plan;
    this.#ledger = ledger;
    this.#dependents = dependents;
    this.#worker = start('bin/pompa', ['worker'], { ...stage.settings, SOURCES: 'manual' }, stage.said);
  }

  async first(): Promise<void> {
    await this.#ledger.checkRuns([1], [1]);
    await this.#untilAllAnswered('at first');
  }

  async run(round: number): Promise<void> {
    const { seed, faults, onRound } = this.#plan;
    const trouble = troubleOf(faults, seed, round);
    const { name, moment } = trouble;
    const under = await this.#collecting(moment, round);
    await this.#suffer(trouble, seed + round);
    const over = performance.now();
    const answered = this.#untilAllAnswered(name);
    // Awaited below, unless something else fails before.
    answered.catch(() => undefined);
    const end = under === null ? null : await this.#endOf(under, over);
    const free = Math.max(over, under === null ? 0 : performance.now());
    const next = await this.#stage.collect({ leaseMs: USUAL_LEASE_MS });
    const { code: nextCode } = await within(ENDED_WITHIN_MS, 'the next collection', next.ended);
    if (nextCode !== 0) throw new Error(`after ${name} the next collection ended with ${nextCode}`);
    const collected = performance.now();
    await this.#stage.settle(next.collection);
    const recoveryMs = performance.now() - free;
    this.#slowestServedMs = Math.max(this.#slowestServedMs, performance.now() - collected);
    this.#note(trouble, recoveryMs, await answered);
    await this.#compare(under, end?.done === true, next.collection);
    const told = end === null ? '' : end.done ? ', done' : `, cut off (${end.why})`;
    onRound?.(round, `${name}, collection ${moment}${told}; served again after ${(recoveryMs / 1000).toFixed(1)} s`);
  }

  /** Told to end while the database is out of reach, every process does so in order, one that never reached it too. */
  async endInBlackHole(): Promise<void> {
    await this.#remote.order({ order: 'drop' });
    const late = start('bin/pompa', ['serve', '--no-worker'], this.#stage.settings, 'pipe');
    await listening(late);
    const others = [late, this.#worker].map((child) => child.end().then(() => child.process.exitCode === 0));
    const inOrder = await Promise.all([...this.#stage.servers.map((server) => server.end()), ...others]);
    if (inOrder.includes(false)) this.#complain(`told to end in a black hole, in order did: ${inOrder}`);
  }

  /** Ends what the stage does not know of. */
  async close(): Promise<void> {
    await this.#worker.end();
  }

  report(): DatabaseReport {
    const { publications, servers } = this.#stage;
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

  /** A collection that has come to this moment. */
  async #collecting(moment: Moment, round: number): Promise<Running | null> {
    if (moment === 'none') return null;
    const { seed } = this.#plan;
    const questions = new Questions(this.#stage.world, false);
    const running = await this.#stage.collect({
      leaseMs: SHORT_LEASE_MS,
      onQuestion: (number) => questions.put(number),
      heard: true,
    });
    const number = moment === 'publishing' ? questions.last : whole(1, questions.last - 1, seed, 'question', round);
    await Promise.race([questions.reached(number), running.ended]);
    if (moment === 'publishing') await sleep(whole(0, PUBLISHES_MS, seed, 'publishing', round));
    return running;
  }

  /** The fault, from its beginning until the database can be reached again; everybody else is answered meanwhile. */
  async #suffer({ name, fault, lastsMs }: Trouble, seed: number): Promise<void> {
    await fault.begin(this.#remote, seed);
    const over = performance.now() + Math.min(lastsMs, this.#plan.longestMs);
    await this.#askOthers(name);
    await sleep(Math.max(0, over - performance.now()));
    await this.#askOthers(name);
    await fault.end(this.#remote);
    await this.#remote.back();
  }

  async #askOthers(fault: string): Promise<void> {
    const asked = this.#stage.servers.flatMap((server) =>
      OTHERS.map((address) =>
        server.ask(address).catch((error: Error) => this.#complain(`${fault}: ${address}: ${error.message}`)),
      ),
    );
    const dependent = this.#stage.servers.map(({ address }) => this.#dependents.ask(address, fault));
    await Promise.all([...asked, ...dependent]);
  }

  /** How long it took until both servers answered everything as usual, ms. */
  async #untilAllAnswered(fault: string): Promise<number> {
    await query(await this.#stage.connection(), `update german_budget set recent = '{}'`);
    const when = `after ${fault}`;
    const all = this.#stage.servers.map(({ address }) => this.#dependents.untilAllAnswered(address, when));
    return Math.max(...(await Promise.all(all)));
  }

  /** How a collection ended that a fault came upon: done, or with one line that says why not. */
  async #endOf({ ended }: Running, over: number): Promise<{ done: boolean; why: string }> {
    const { code, complaint } = await within(ENDED_WITHIN_MS, 'the collection under way', ended);
    this.#slowestEndMs = Math.max(this.#slowestEndMs, performance.now() - over);
    const lines = complaint.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    const inOrder = code === 0 ? lines.length === 0 : code === 1 && lines.length === 1;
    if (!inOrder) this.#complain(`a collection ended with ${code}: ${complaint}`);
    return { done: code === 0, why: lines.join() };
  }

  #note({ name, moment }: Trouble, recoveryMs: number, answeredAgainMs: number): void {
    const what = moment === 'none' ? name : `${name}, collection ${moment}`;
    this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
    this.#recoveryMs.set(name, Math.max(recoveryMs, this.#recoveryMs.get(name) ?? 0));
    if (recoveryMs > RECOVERED_WITHIN_MS) this.#late.push(`${what}: served again after ${Math.round(recoveryMs)} ms`);
    this.#answeredAgainMs.set(name, Math.max(answeredAgainMs, this.#answeredAgainMs.get(name) ?? 0));
    if (answeredAgainMs > RECOVERED_WITHIN_MS)
      this.#late.push(`${what}: answered as usual after ${Math.round(answeredAgainMs)} ms`);
  }

  /** Holds database, answers and disk against the oracle. */
  async #compare(under: Running | null, done: boolean, last: number): Promise<void> {
    const { servers, oracle, publications } = this.#stage;
    const attempted = under === null ? [last] : [under.collection, last];
    const found = await this.#ledger.checkRuns(attempted, done ? attempted : [last]);
    if (under !== null) this.#count(done, found.includes(under.collection));
    if (under !== null && publications.seen.has(under.collection) && !found.includes(under.collection)) {
      this.#complain(`collection ${under.collection} was served and is not stored`);
    }
    await this.#ledger.checkFacts(last);
    for (const server of servers) {
      server.checkOrder((collection) => collection);
      await server.compare(last, oracle.ids.slice(-5));
    }
    await until('the last good state', KEPT_WITHIN_MS, async () => (await keptCollection(this.#stage)) === last);
  }

  #count(done: boolean, stored: boolean): void {
    this.#collections[done ? 'done' : stored ? 'cutOffButStored' : 'storedNothing'] += 1;
  }

  #complain(sentence: string): void {
    this.#stage.publications.complain(sentence);
  }
}
