/** Runs several collectors at once, and stops one for longer than its lease before it resumes it. */
import pg from 'pg';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { query, waitFor } from '../../support/database/embedded-database.ts';
import { AcknowledgedWrites } from '../engine/acknowledged-writes.ts';
import { RegisterRequests } from '../engine/register-requests.ts';
import { type ProcessResult, type RunningCollection, ServiceProcesses } from '../engine/service-processes.ts';
import { withDeadline } from '../engine/with-deadline.ts';

export type CollectorPlan = {
  readonly rounds: number;
  readonly seed: number;
  /** Sizes of the groups that collect at once, one group after another. */
  readonly groups: readonly number[];
  /** Whether the groups run `bin/pompa collect`; otherwise faster collectors that read only a few units. */
  readonly plain: boolean;
  /** Whether a collector is also stopped in the middle of its publication, which takes a minute. */
  readonly stoppedWhilePublishing: boolean;
  readonly onRound?: (line: string) => void;
};

export type CollectorReport = {
  /** Collections of the groups that reported a published version. */
  readonly published: number;
  /** Collectors that reported a lost lease after they were stopped and resumed. */
  readonly stopped: number;
  readonly reads: number;
  readonly violations: readonly string[];
};

const SHORT_LEASE_MS = 1_000;
const USUAL_LEASE_MS = 30_000;
const ENDED_WITHIN_MS = 180_000;
const COMPARED_HISTORIES = 5;

/** Runs the rounds with service processes of their own; rejects when those cannot be started. */
export async function collectorRounds(plan: CollectorPlan): Promise<CollectorReport> {
  const processes = new ServiceProcesses();
  try {
    await processes.open(USUAL_LEASE_MS);
    const rounds = new CollectorRounds(processes, plan, await AcknowledgedWrites.create(processes));
    await rounds.checkStart();
    for (let round = 0; round < plan.rounds && processes.publications.violations.length === 0; round += 1) {
      for (const size of plan.groups) await rounds.runConcurrently(size);
      await rounds.pauseBetweenRequests(round);
      await rounds.pauseInQueue();
    }
    if (plan.stoppedWhilePublishing) await rounds.pauseWhilePublishing();
    return rounds.report();
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${processes.log()}`, { cause: error });
  } finally {
    await processes.close();
  }
}

class CollectorRounds {
  readonly #processes: ServiceProcesses;
  readonly #plan: CollectorPlan;
  readonly #writes: AcknowledgedWrites;
  /** Collection → published version; 0 stands for no collection. */
  readonly #versions = new Map([
    [0, 0],
    [1, 1],
  ]);
  #published = 0;
  #stopped = 0;

  constructor(processes: ServiceProcesses, plan: CollectorPlan, writes: AcknowledgedWrites) {
    this.#processes = processes;
    this.#plan = plan;
    this.#writes = writes;
  }

  async checkStart(): Promise<void> {
    await this.#writes.checkRuns([1], [1]);
  }

  /** Starts `size` collectors together; all must publish, one after another. */
  async runConcurrently(size: number): Promise<void> {
    const leaseMs = this.#plan.plain ? null : USUAL_LEASE_MS;
    const running = await Promise.all(Array.from({ length: size }, () => this.#processes.collect({ leaseMs })));
    const ended = await withDeadline(
      ENDED_WITHIN_MS,
      `the exit of ${size} collectors`,
      Promise.all(running.map(endOf)),
    );
    for (const { collection, code, output } of ended) {
      this.#versions.set(collection, code === 0 ? versionIn(output) : Number.NaN);
      if (code !== 0) this.#addViolation(`one of ${size} concurrent collectors ended with ${code}`);
      else if (!(versionIn(output) > 0)) this.#addViolation(`one of ${size} concurrent collectors printed no version`);
    }
    this.#published += ended.filter(({ code, output }) => code === 0 && versionIn(output) > 0).length;
    await this.#compare(ended.map(({ collection }) => collection));
    this.#plan.onRound?.(`${size} at once: versions ${ended.map(({ output }) => versionIn(output)).join(', ')}`);
  }

  /** Stops a collector between two requests until another one has published; resumed, it must not publish. */
  async pauseBetweenRequests(round: number): Promise<void> {
    const requests = new RegisterRequests(this.#processes.world, false);
    const at = 1 + Math.floor(requests.last * randomFraction(this.#plan.seed, 'stopped', round));
    const reached = requests.whenReached(at);
    const paused = await this.#processes.collect({
      leaseMs: SHORT_LEASE_MS,
      onRequest: (number, child) => {
        if (number === at) child.process.kill('SIGSTOP');
        requests.record(number);
      },
    });
    await withDeadline(ENDED_WITHIN_MS, `request ${at}`, reached);
    await this.#collectMeanwhile(paused);
    this.#plan.onRound?.(`one stopped at request ${at} of ${requests.last}`);
  }

  /**
   * Stops a collector that waits for the lock of the publication until another one holds the lease; resumed, it is the
   * first to get the lock, and only the fencing number shows that it must not continue.
   */
  async pauseInQueue(): Promise<void> {
    const blocker = await this.#blockingSession('select from publication for update');
    const paused = await this.#processes.collect({ leaseMs: SHORT_LEASE_MS });
    await waitForBlockedQuery(this.#processes, 'publication');
    paused.child.process.kill('SIGSTOP');
    const before = await fenceOf(this.#processes);
    const other = await this.#processes.collect({ leaseMs: this.#plan.plain ? null : USUAL_LEASE_MS });
    await waitFor('another holder', ENDED_WITHIN_MS, async () => (await fenceOf(this.#processes)) > before);
    await blocker.end();
    paused.child.process.kill('SIGCONT');
    await this.#checkBothEnded(paused, other);
    this.#plan.onRound?.('one stopped while it waited to publish');
  }

  /**
   * Stops a collector while its transaction locks the publication and the lease: the others wait until PostgreSQL ends
   * that session after a minute.
   */
  async pauseWhilePublishing(): Promise<void> {
    const blocker = await this.#blockingSession('lock table observations in access exclusive mode');
    const paused = await this.#processes.collect({ leaseMs: SHORT_LEASE_MS });
    await waitForBlockedQuery(this.#processes, 'into observations');
    paused.child.process.kill('SIGSTOP');
    await blocker.end();
    await this.#collectMeanwhile(paused);
    this.#plan.onRound?.('one stopped while it published');
  }

  report(): CollectorReport {
    const { reads, violations } = this.#processes.publications;
    return { published: this.#published, stopped: this.#stopped, reads, violations };
  }

  /** A session that blocks others until it is ended. */
  async #blockingSession(statement: string): Promise<pg.Client> {
    const blocker = new pg.Client(await this.#processes.connection());
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(statement);
    return blocker;
  }

  /** Lets another collector publish, then resumes the stopped one. */
  async #collectMeanwhile(paused: RunningCollection): Promise<void> {
    const other = await this.#processes.collect({ leaseMs: this.#plan.plain ? null : USUAL_LEASE_MS });
    await withDeadline(ENDED_WITHIN_MS, 'the other collector', other.ended);
    if (paused.child.process.exitCode !== null) this.#addViolation('a stopped collector exited');
    paused.child.process.kill('SIGCONT');
    await this.#checkBothEnded(paused, other);
  }

  /** Checks that the other collector has published, the resumed one has not, and everything is as the other left it. */
  async #checkBothEnded(paused: RunningCollection, other: RunningCollection): Promise<void> {
    const { code, output } = await withDeadline(ENDED_WITHIN_MS, 'the other collector', other.ended);
    if (code === 0) this.#versions.set(other.collection, versionIn(output));
    else this.#addViolation(`beside a stopped collector another one ended with ${code}`);
    const resumed = await withDeadline(ENDED_WITHIN_MS, 'the exit of the resumed collector', paused.ended);
    if (resumed.code !== 1) this.#addViolation(`a collector resumed without its lease ended with ${resumed.code}`);
    else this.#stopped += 1;
    await this.#compare([other.collection], paused.collection);
  }

  /** Compares everything with the oracle; `unpublished` is a collection that must appear nowhere. */
  async #compare(acknowledged: readonly number[], unpublished?: number): Promise<void> {
    const { servers, oracle, publications } = this.#processes;
    const inOrder = acknowledged.toSorted((a, b) => this.#versionOf(a) - this.#versionOf(b));
    const last = inOrder.at(-1) as number;
    await this.#processes.waitUntilServed(last);
    const found = await this.#writes.checkRuns(inOrder, inOrder);
    if (`${found}` !== `${inOrder}`) this.#addViolation(`the runs ${found} are stored for the publications ${inOrder}`);
    if (unpublished !== undefined && publications.seen.has(unpublished))
      this.#addViolation(`the collection ${unpublished} was served`);
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
    this.#processes.publications.addViolation(`${sentence}: ${this.#processes.log().split('\n').slice(-3).join(' ')}`);
  }
}

async function endOf({ collection, ended }: RunningCollection): Promise<ProcessResult & { collection: number }> {
  return { collection, ...(await ended) };
}

function versionIn(output: string): number {
  return Number(/published version (\d+)/.exec(output)?.[1]);
}

/** Resolves when a session waits for a lock in a statement that contains `text`. */
async function waitForBlockedQuery(processes: ServiceProcesses, text: string): Promise<void> {
  const connection = await processes.connection();
  const statement = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%${text}%'`;
  await waitFor(
    'a publication under way',
    ENDED_WITHIN_MS,
    async () => (await query(connection, statement)).length > 0,
  );
}

/** The fencing number of the lease `collect`. */
async function fenceOf(processes: ServiceProcesses): Promise<number> {
  const [row] = await query(await processes.connection(), `select fence::int from leases where name = 'collect'`);
  return row?.fence as number;
}
