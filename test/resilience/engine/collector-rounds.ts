/** Several collectors at once, and one that is stopped for longer than its lease and then woken. */
import pg from 'pg';
import { chance } from '../../../src/simulation/country/seeded-random.ts';
import { query, until } from '../../support/embedded-database.ts';
import { Ledger } from './acknowledged-writes.ts';
import { type Ended, type Running, Stage } from './cluster.ts';
import { Questions } from './register-requests.ts';
import { within } from './within.ts';

export type CollectorPlan = {
  readonly rounds: number;
  readonly seed: number;
  /** How many collect at once, one group after another. */
  readonly groups: readonly number[];
  /** The groups are of `bin/pompa collect`, or (sooner) of collectors that ask for a few units only. */
  readonly plain: boolean;
  /** Whether one is also stopped in the middle of its publication, which takes a minute. */
  readonly stoppedWhilePublishing: boolean;
  readonly onRound?: (line: string) => void;
};

export type CollectorReport = {
  /** Collections of the groups that were acknowledged with a version of their own. */
  readonly published: number;
  /** Collectors that were stopped and woken, and then said that they had lost their lease. */
  readonly stopped: number;
  readonly reads: number;
  readonly violations: readonly string[];
};

const SHORT_LEASE_MS = 1_000;
const USUAL_LEASE_MS = 30_000;
const ENDED_WITHIN_MS = 180_000;
const COMPARED_HISTORIES = 5;

/** Runs the rounds on a stage of their own. Rejects when the stage itself cannot be set up. */
export async function collectorRounds(plan: CollectorPlan): Promise<CollectorReport> {
  const stage = new Stage();
  try {
    await stage.open(USUAL_LEASE_MS);
    const rounds = new CollectorRounds(stage, plan, await Ledger.of(stage));
    await rounds.first();
    for (let round = 0; round < plan.rounds && stage.publications.violations.length === 0; round += 1) {
      for (const size of plan.groups) await rounds.atOnce(size);
      await rounds.stopped(round);
      await rounds.stoppedInTheRow();
    }
    if (plan.stoppedWhilePublishing) await rounds.stoppedWhilePublishing();
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${stage.log()}`, { cause: error });
  } finally {
    await stage.close();
  }
}

class CollectorRounds {
  readonly #stage: Stage;
  readonly #plan: CollectorPlan;
  readonly #ledger: Ledger;
  /** What each collection was published as; nothing and the first one are known. */
  readonly #versions = new Map([
    [0, 0],
    [1, 1],
  ]);
  #published = 0;
  #stopped = 0;

  constructor(stage: Stage, plan: CollectorPlan, ledger: Ledger) {
    this.#stage = stage;
    this.#plan = plan;
    this.#ledger = ledger;
  }

  async first(): Promise<void> {
    await this.#ledger.checkRuns([1], [1]);
  }

  /** All of them begin together; each is published in its turn. */
  async atOnce(size: number): Promise<void> {
    const leaseMs = this.#plan.plain ? null : USUAL_LEASE_MS;
    const running = await Promise.all(Array.from({ length: size }, () => this.#stage.collect({ leaseMs })));
    const ended = await within(ENDED_WITHIN_MS, `the end of ${size} collectors`, Promise.all(running.map(endOf)));
    for (const { collection, code, said } of ended) {
      this.#versions.set(collection, code === 0 ? versionIn(said) : Number.NaN);
      if (code !== 0) this.#complain(`one of ${size} collectors at once ended with ${code}`);
      else if (!(versionIn(said) > 0)) this.#complain(`one of ${size} collectors at once told no version`);
    }
    this.#published += ended.filter(({ code, said }) => code === 0 && versionIn(said) > 0).length;
    await this.#compare(ended.map(({ collection }) => collection));
    this.#plan.onRound?.(`${size} at once: versions ${ended.map(({ said }) => versionIn(said)).join(', ')}`);
  }

  /** Stopped between two questions until another collector has published; woken, it must not publish. */
  async stopped(round: number): Promise<void> {
    const questions = new Questions(this.#stage.world, false);
    const at = 1 + Math.floor(questions.last * chance(this.#plan.seed, 'stopped', round));
    const reached = questions.reached(at);
    const sleeper = await this.#stage.collect({
      leaseMs: SHORT_LEASE_MS,
      onQuestion: (number, child) => {
        if (number === at) child.process.kill('SIGSTOP');
        questions.put(number);
      },
    });
    await within(ENDED_WITHIN_MS, `question ${at}`, reached);
    await this.#overtake(sleeper);
    this.#plan.onRound?.(`one stopped at question ${at} of ${questions.last}`);
  }

  /**
   * Stopped when it has begun to publish and waits for its turn, until another collector has the lease; woken, it is
   * the first in the row, and only the fencing number says that it must not go on.
   */
  async stoppedInTheRow(): Promise<void> {
    const brake = await this.#brake('select from publication for update');
    const sleeper = await this.#stage.collect({ leaseMs: SHORT_LEASE_MS });
    await waiting(this.#stage, 'publication');
    sleeper.child.process.kill('SIGSTOP');
    const before = await fenceOf(this.#stage);
    const other = await this.#stage.collect({ leaseMs: this.#plan.plain ? null : USUAL_LEASE_MS });
    await until('another holder', ENDED_WITHIN_MS, async () => (await fenceOf(this.#stage)) > before);
    await brake.end();
    sleeper.child.process.kill('SIGCONT');
    await this.#bothEnd(sleeper, other);
    this.#plan.onRound?.('one stopped in the row of those that publish');
  }

  /**
   * Stopped while its transaction holds the publication and the lease: PostgreSQL ends that session after a minute,
   * until then the others wait.
   */
  async stoppedWhilePublishing(): Promise<void> {
    const brake = await this.#brake('lock table observations in access exclusive mode');
    const sleeper = await this.#stage.collect({ leaseMs: SHORT_LEASE_MS });
    await waiting(this.#stage, 'into observations');
    sleeper.child.process.kill('SIGSTOP');
    await brake.end();
    await this.#overtake(sleeper);
    this.#plan.onRound?.('one stopped while it published');
  }

  report(): CollectorReport {
    const { reads, violations } = this.#stage.publications;
    return { published: this.#published, stopped: this.#stopped, reads, violations };
  }

  /** A session that keeps others from going on until it is ended. */
  async #brake(statement: string): Promise<pg.Client> {
    const brake = new pg.Client(await this.#stage.connection());
    await brake.connect();
    await brake.query('begin');
    await brake.query(statement);
    return brake;
  }

  /** Another one collects and publishes meanwhile; then the sleeper wakes. */
  async #overtake(sleeper: Running): Promise<void> {
    const other = await this.#stage.collect({ leaseMs: this.#plan.plain ? null : USUAL_LEASE_MS });
    await within(ENDED_WITHIN_MS, 'the other collector', other.ended);
    if (sleeper.child.process.exitCode !== null) this.#complain('a stopped collector ended');
    sleeper.child.process.kill('SIGCONT');
    await this.#bothEnd(sleeper, other);
  }

  /** The other has published, the sleeper nothing, and everything is as the other left it. */
  async #bothEnd(sleeper: Running, other: Running): Promise<void> {
    const { code, said } = await within(ENDED_WITHIN_MS, 'the other collector', other.ended);
    if (code === 0) this.#versions.set(other.collection, versionIn(said));
    else this.#complain(`beside a stopped collector another one ended with ${code}`);
    const woken = await within(ENDED_WITHIN_MS, 'the end of the woken collector', sleeper.ended);
    if (woken.code !== 1) this.#complain(`a collector that was woken without its lease ended with ${woken.code}`);
    else this.#stopped += 1;
    await this.#compare([other.collection], sleeper.collection);
  }

  /** Holds everything against the oracle; `never` is a collection that must not be found anywhere. */
  async #compare(acknowledged: readonly number[], never?: number): Promise<void> {
    const { servers, oracle, publications } = this.#stage;
    const inTurn = acknowledged.toSorted((a, b) => this.#versionOf(a) - this.#versionOf(b));
    const last = inTurn.at(-1) as number;
    await this.#stage.settle(last);
    const found = await this.#ledger.checkRuns(inTurn, inTurn);
    if (`${found}` !== `${inTurn}`) this.#complain(`the runs ${found} are stored for the publications ${inTurn}`);
    if (never !== undefined && publications.seen.has(never)) this.#complain(`the collection ${never} was served`);
    await this.#ledger.checkFacts(last);
    for (const server of servers) {
      server.checkOrder((collection) => this.#versionOf(collection));
      await server.compare(last, oracle.ids.slice(-COMPARED_HISTORIES));
    }
  }

  #versionOf(collection: number): number {
    return this.#versions.get(collection) ?? -1;
  }

  #complain(sentence: string): void {
    this.#stage.publications.complain(`${sentence}: ${this.#stage.log().split('\n').slice(-3).join(' ')}`);
  }
}

async function endOf({ collection, ended }: Running): Promise<Ended & { collection: number }> {
  return { collection, ...(await ended) };
}

function versionIn(said: string): number {
  return Number(/published version (\d+)/.exec(said)?.[1]);
}

/** Resolves when some session waits for a lock in a statement with these words. */
async function waiting(stage: Stage, words: string): Promise<void> {
  const connection = await stage.connection();
  const statement = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%${words}%'`;
  await until('a publication under way', ENDED_WITHIN_MS, async () => (await query(connection, statement)).length > 0);
}

/** How often the lease on collecting was taken. */
async function fenceOf(stage: Stage): Promise<number> {
  const [row] = await query(await stage.connection(), `select fence::int from leases where name = 'collect'`);
  return row?.fence as number;
}
