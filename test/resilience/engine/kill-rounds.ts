/** Rounds of `kill -9` while readers read: who is hit and when is the seed's choice; afterwards all must be as if nothing had been. */
import { performance } from 'node:perf_hooks';
import { sigkill } from '../../support/embedded-database.ts';
import { type Import, Ledger } from './acknowledged-writes.ts';
import { checkAbandoned, halfWritten, keptCollection } from './artefacts.ts';
import { type Running, Stage } from './cluster.ts';
import { type Kill, killOf, pidOf, Watch } from './kill-targets.ts';
import { Questions } from './register-requests.ts';
import { within } from './within.ts';

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
  /** Ends the run after the round that is under way. */
  readonly signal?: AbortSignal;
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
  readonly oldStarts: number;
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
const MOST_ROUNDS = 1.25;

/** Runs the rounds on a stage of their own. Rejects when the stage itself cannot be set up or brought back. */
export async function killRounds(plan: KillPlan): Promise<KillReport> {
  const stage = new Stage();
  try {
    await stage.open(USUAL_LEASE_MS);
    const watch = await Watch.on(stage);
    const rounds = new KillRounds(stage, plan, watch, await Ledger.of(stage));
    await rounds.first();
    const goesOn = () => stage.publications.violations.length === 0 && plan.signal?.aborted !== true;
    const most = Math.ceil(MOST_ROUNDS * plan.kills);
    for (let round = 0; rounds.struck < plan.kills && round < most && goesOn(); round += 1) await rounds.run(round);
    await watch.close();
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}; ${stage.publications.violations.join('; ')}\n${stage.log()}`, {
      cause: error,
    });
  } finally {
    await stage.close();
  }
}

type Importing = { readonly made: Import; readonly ended: Promise<unknown> };

class KillRounds {
  readonly #stage: Stage;
  readonly #plan: KillPlan;
  readonly #watch: Watch;
  readonly #ledger: Ledger;
  readonly #kills = new Map<string, number>();
  #tooLate = 0;
  readonly #collections = { acknowledged: 0, cutOffButStored: 0, storedNothing: 0 };
  /** The newest collection that was found in the last good state. */
  #kept = 0;
  #slowestRecoveryMs = 0;

  constructor(stage: Stage, plan: KillPlan, watch: Watch, ledger: Ledger) {
    this.#stage = stage;
    this.#plan = plan;
    this.#watch = watch;
    this.#ledger = ledger;
  }

  /** Takes the publication that the stage opened with into the books. */
  async first(): Promise<void> {
    await this.#ledger.checkRuns([1], [1]);
  }

  /** How many kills there were so far. */
  get struck(): number {
    return [...this.#kills.values()].reduce((sum, count) => sum + count, 0);
  }

  async run(round: number): Promise<void> {
    const { seed, leaseMs, plainEvery, plainRecoveryEvery } = this.#plan;
    const kill = killOf(seed, round);
    const plain = isTurn(round, plainEvery);
    const questions = new Questions(this.#stage.world, plain);
    const moment = this.#watch.moment(kill, questions);
    const hit = await this.#stage.collect({
      leaseMs: plain ? null : leaseMs,
      onQuestion: (number) => questions.put(number),
    });
    const importing = round % IMPORT_EVERY === 0 ? this.#import(kill, round % (2 * IMPORT_EVERY) === 0) : null;
    await Promise.race([moment, hit.ended]);
    const struck = await this.#strike(kill, hit);
    const { code } = await within(COLLECTED_WITHIN_MS, 'the end of the collection', hit.ended);
    await importing?.ended;
    const recovery = await this.#recover(isTurn(round, plainRecoveryEvery));
    await this.#compare(hit, code === 0, recovery);
    this.#plan.onRound?.(
      round,
      `${kill.victim} at ${kill.phase}${plain ? ', plain' : ''}: ${struck ? '' : 'too late, '}${code === 0 ? 'done' : 'cut off'}`,
    );
  }

  report(): KillReport {
    const { publications, servers } = this.#stage;
    return {
      kills: this.#kills,
      tooLate: this.#tooLate,
      collections: this.#collections,
      imports: this.#ledger.imports,
      reads: publications.reads,
      oldStarts: servers.reduce((sum, { oldStarts }) => sum + oldStarts, 0),
      slowestRecoveryMs: this.#slowestRecoveryMs,
      halfWritten: halfWritten(this.#stage),
      violations: publications.violations,
    };
  }

  async #strike(kill: Kill, hit: Running): Promise<boolean> {
    const struck = await this.#hits(kill, hit);
    const name = `${kill.victim}, ${kill.phase}`;
    if (struck) this.#kills.set(name, (this.#kills.get(name) ?? 0) + 1);
    else this.#tooLate += 1;
    return struck;
  }

  /** False when there was nobody left to kill. */
  async #hits(kill: Kill, { child }: Running): Promise<boolean> {
    const { victim } = kill;
    if (victim === 'server') return this.#killServer(kill).then(() => true);
    const gone = child.process.exitCode !== null || child.process.signalCode !== null;
    const collector = gone ? undefined : child.pid;
    const pid = victim === 'collector' ? collector : await pidOf(victim, this.#stage, kill);
    if (pid !== undefined) sigkill(pid);
    return pid !== undefined;
  }

  /** As a service manager would: killed, and started again at once. */
  async #killServer({ chance }: Kill): Promise<void> {
    const { servers } = this.#stage;
    const server = servers[Math.floor(servers.length * chance('server'))] ?? servers[0];
    await server?.kill();
    this.#keep(await keptCollection(this.#stage));
    await server?.start(this.#kept);
    server?.read();
  }

  #import({ chance }: Kill, killed: boolean): Importing {
    const made = this.#ledger.nextImport();
    const { child, ended } = this.#stage.importDays(made.rows);
    const timer = killed ? setTimeout(() => sigkill(child.pid), IMPORT_LASTS_MS * chance('import')) : undefined;
    const settled = ended.then(({ code }) => {
      clearTimeout(timer);
      if (code === 0) this.#ledger.acknowledge(made);
      return code;
    });
    return { made, ended: settled.then((code) => (code === 0 ? undefined : this.#cutOff.push(made))) };
  }

  /** Imports that were not acknowledged: looked at when the database is there again. */
  readonly #cutOff: Import[] = [];

  /** The next collection, which nobody helps. */
  async #recover(plain: boolean): Promise<number> {
    const begun = performance.now();
    const next = await this.#stage.collect({ leaseMs: plain ? null : USUAL_LEASE_MS });
    const { code } = await within(COLLECTED_WITHIN_MS, 'the next collection', next.ended);
    if (code !== 0) throw new Error(`the collection after the kill ended with ${code}`);
    this.#slowestRecoveryMs = Math.max(this.#slowestRecoveryMs, performance.now() - begun);
    await this.#stage.settle(next.collection);
    return next.collection;
  }

  async #compare(hit: Running, acknowledged: boolean, recovery: number): Promise<void> {
    const { servers, oracle, publications } = this.#stage;
    const found = await this.#ledger.checkRuns(
      [hit.collection, recovery],
      acknowledged ? [hit.collection, recovery] : [recovery],
    );
    this.#count(acknowledged, found.includes(hit.collection));
    if (publications.seen.has(hit.collection) && !found.includes(hit.collection)) {
      publications.complain(`collection ${hit.collection} was served and is not stored`);
    }
    for (const made of this.#cutOff.splice(0)) await this.#ledger.checkCutOff(made);
    await this.#ledger.checkFacts(recovery);
    for (const server of servers) {
      server.checkOrder((collection) => collection);
      await server.compare(recovery, oracle.ids.slice(-COMPARED_HISTORIES));
      await this.#ledger.checkServedDays((address) => server.ask(address));
    }
    this.#keep(await keptCollection(this.#stage));
    checkAbandoned(this.#stage);
  }

  #count(acknowledged: boolean, stored: boolean): void {
    this.#collections.acknowledged += acknowledged ? 2 : 1;
    if (!acknowledged) this.#collections[stored ? 'cutOffButStored' : 'storedNothing'] += 1;
  }

  /** What is kept never becomes older. */
  #keep(collection: number): void {
    if (collection < this.#kept) {
      this.#stage.publications.complain(`the last good state is of ${collection}, it was of ${this.#kept} before`);
    }
    this.#kept = Math.max(this.#kept, collection);
  }
}

function isTurn(round: number, every: number): boolean {
  return every > 0 && round % every === every - 1;
}
