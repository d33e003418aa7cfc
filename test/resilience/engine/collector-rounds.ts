/** Several collectors at once, and one that is stopped for longer than its lease and then woken. */
import pg from 'pg';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { query, waitFor } from '../../support/database/embedded-database.ts';
import { AcknowledgedWrites } from './acknowledged-writes.ts';
import { Cluster, type ProcessResult, type RunningCollection } from './cluster.ts';
import { RegisterRequests } from './register-requests.ts';
import { withDeadline } from './with-deadline.ts';

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
  const cluster = new Cluster();
  try {
    await cluster.open(USUAL_LEASE_MS);
    const rounds = new CollectorRounds(cluster, plan, await AcknowledgedWrites.create(cluster));
    await rounds.checkStart();
    for (let round = 0; round < plan.rounds && cluster.publications.violations.length === 0; round += 1) {
      for (const size of plan.groups) await rounds.runConcurrently(size);
      await rounds.pauseBetweenRequests(round);
      await rounds.pauseInQueue();
    }
    if (plan.stoppedWhilePublishing) await rounds.pauseWhilePublishing();
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${cluster.log()}`, { cause: error });
  } finally {
    await cluster.close();
  }
}

class CollectorRounds {
  readonly #cluster: Cluster;
  readonly #plan: CollectorPlan;
  readonly #writes: AcknowledgedWrites;
  /** What each collection was published as; nothing and the first one are known. */
  readonly #versions = new Map([
    [0, 0],
    [1, 1],
  ]);
  #published = 0;
  #stopped = 0;

  constructor(cluster: Cluster, plan: CollectorPlan, writes: AcknowledgedWrites) {
    this.#cluster = cluster;
    this.#plan = plan;
    this.#writes = writes;
  }

  async checkStart(): Promise<void> {
    await this.#writes.checkRuns([1], [1]);
  }

  /** All of them begin together; each is published in its turn. */
  async runConcurrently(size: number): Promise<void> {
    const leaseMs = this.#plan.plain ? null : USUAL_LEASE_MS;
    const running = await Promise.all(Array.from({ length: size }, () => this.#cluster.collect({ leaseMs })));
    const ended = await withDeadline(ENDED_WITHIN_MS, `the end of ${size} collectors`, Promise.all(running.map(endOf)));
    for (const { collection, code, output } of ended) {
      this.#versions.set(collection, code === 0 ? versionIn(output) : Number.NaN);
      if (code !== 0) this.#addViolation(`one of ${size} collectors at once ended with ${code}`);
      else if (!(versionIn(output) > 0)) this.#addViolation(`one of ${size} collectors at once told no version`);
    }
    this.#published += ended.filter(({ code, output }) => code === 0 && versionIn(output) > 0).length;
    await this.#compare(ended.map(({ collection }) => collection));
    this.#plan.onRound?.(`${size} at once: versions ${ended.map(({ output }) => versionIn(output)).join(', ')}`);
  }

  /** Stopped between two questions until another collector has published; woken, it must not publish. */
  async pauseBetweenRequests(round: number): Promise<void> {
    const requests = new RegisterRequests(this.#cluster.world, false);
    const at = 1 + Math.floor(requests.last * randomFraction(this.#plan.seed, 'stopped', round));
    const reached = requests.whenReached(at);
    const paused = await this.#cluster.collect({
      leaseMs: SHORT_LEASE_MS,
      onRequest: (number, child) => {
        if (number === at) child.process.kill('SIGSTOP');
        requests.record(number);
      },
    });
    await withDeadline(ENDED_WITHIN_MS, `question ${at}`, reached);
    await this.#collectMeanwhile(paused);
    this.#plan.onRound?.(`one stopped at question ${at} of ${requests.last}`);
  }

  /**
   * Stopped when it has begun to publish and waits for its turn, until another collector has the lease; woken, it is
   * the first in the row, and only the fencing number says that it must not go on.
   */
  async pauseInQueue(): Promise<void> {
    const blocker = await this.#blockingSession('select from publication for update');
    const paused = await this.#cluster.collect({ leaseMs: SHORT_LEASE_MS });
    await waitForBlockedQuery(this.#cluster, 'publication');
    paused.child.process.kill('SIGSTOP');
    const before = await fenceOf(this.#cluster);
    const other = await this.#cluster.collect({ leaseMs: this.#plan.plain ? null : USUAL_LEASE_MS });
    await waitFor('another holder', ENDED_WITHIN_MS, async () => (await fenceOf(this.#cluster)) > before);
    await blocker.end();
    paused.child.process.kill('SIGCONT');
    await this.#checkBothEnded(paused, other);
    this.#plan.onRound?.('one stopped in the row of those that publish');
  }

  /**
   * Stopped while its transaction holds the publication and the lease: PostgreSQL ends that session after a minute,
   * until then the others wait.
   */
  async pauseWhilePublishing(): Promise<void> {
    const blocker = await this.#blockingSession('lock table observations in access exclusive mode');
    const paused = await this.#cluster.collect({ leaseMs: SHORT_LEASE_MS });
    await waitForBlockedQuery(this.#cluster, 'into observations');
    paused.child.process.kill('SIGSTOP');
    await blocker.end();
    await this.#collectMeanwhile(paused);
    this.#plan.onRound?.('one stopped while it published');
  }

  report(): CollectorReport {
    const { reads, violations } = this.#cluster.publications;
    return { published: this.#published, stopped: this.#stopped, reads, violations };
  }

  /** A session that keeps others from going on until it is ended. */
  async #blockingSession(statement: string): Promise<pg.Client> {
    const blocker = new pg.Client(await this.#cluster.connection());
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(statement);
    return blocker;
  }

  /** Another one collects and publishes meanwhile; then the sleeper wakes. */
  async #collectMeanwhile(paused: RunningCollection): Promise<void> {
    const other = await this.#cluster.collect({ leaseMs: this.#plan.plain ? null : USUAL_LEASE_MS });
    await withDeadline(ENDED_WITHIN_MS, 'the other collector', other.ended);
    if (paused.child.process.exitCode !== null) this.#addViolation('a stopped collector ended');
    paused.child.process.kill('SIGCONT');
    await this.#checkBothEnded(paused, other);
  }

  /** The other has published, the sleeper nothing, and everything is as the other left it. */
  async #checkBothEnded(paused: RunningCollection, other: RunningCollection): Promise<void> {
    const { code, output } = await withDeadline(ENDED_WITHIN_MS, 'the other collector', other.ended);
    if (code === 0) this.#versions.set(other.collection, versionIn(output));
    else this.#addViolation(`beside a stopped collector another one ended with ${code}`);
    const woken = await withDeadline(ENDED_WITHIN_MS, 'the end of the woken collector', paused.ended);
    if (woken.code !== 1) this.#addViolation(`a collector that was woken without its lease ended with ${woken.code}`);
    else this.#stopped += 1;
    await this.#compare([other.collection], paused.collection);
  }

  /** Holds everything against the oracle; `never` is a collection that must not be found anywhere. */
  async #compare(acknowledged: readonly number[], never?: number): Promise<void> {
    const { servers, oracle, publications } = this.#cluster;
    const inTurn = acknowledged.toSorted((a, b) => this.#versionOf(a) - this.#versionOf(b));
    const last = inTurn.at(-1) as number;
    await this.#cluster.waitUntilServed(last);
    const found = await this.#writes.checkRuns(inTurn, inTurn);
    if (`${found}` !== `${inTurn}`) this.#addViolation(`the runs ${found} are stored for the publications ${inTurn}`);
    if (never !== undefined && publications.seen.has(never)) this.#addViolation(`the collection ${never} was served`);
    await this.#writes.checkFacts(last);
    for (const server of servers) {
      server.checkOrder((collection) => this.#versionOf(collection));
      await server.compare(last, oracle.ids.slice(-COMPARED_HISTORIES));
    }
  }

  #versionOf(collection: number): number {
    return this.#versions.get(collection) ?? -1;
  }

  #addViolation(sentence: string): void {
    this.#cluster.publications.addViolation(`${sentence}: ${this.#cluster.log().split('\n').slice(-3).join(' ')}`);
  }
}

async function endOf({ collection, ended }: RunningCollection): Promise<ProcessResult & { collection: number }> {
  return { collection, ...(await ended) };
}

function versionIn(said: string): number {
  return Number(/published version (\d+)/.exec(said)?.[1]);
}

/** Resolves when some session waits for a lock in a statement with these words. */
async function waitForBlockedQuery(cluster: Cluster, words: string): Promise<void> {
  const connection = await cluster.connection();
  const statement = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%${words}%'`;
  await waitFor(
    'a publication under way',
    ENDED_WITHIN_MS,
    async () => (await query(connection, statement)).length > 0,
  );
}

/** How often the lease on collecting was taken. */
async function fenceOf(cluster: Cluster): Promise<number> {
  const [row] = await query(await cluster.connection(), `select fence::int from leases where name = 'collect'`);
  return row?.fence as number;
}
