/** The supervisor of serving processes, with processes that do what a test tells them. */
import type { TestContext } from 'node:test';
import { ASK_EVERY_MS } from '../../../src/app/processes/find-hung.ts';
import type { ServingChild } from '../../../src/app/processes/serving-child.ts';
import { ServingSupervisor } from '../../../src/app/processes/serving-supervisor.ts';
import type { ProcessMetrics } from '../../../src/app/processes/supervisor-messages.ts';

/** A process that does what a test tells it. */
export class FakeChild implements ServingChild {
  readonly #serving = Promise.withResolvers<string | null>();
  readonly #ended = Promise.withResolvers<Awaited<ServingChild['ended']>>();
  readonly stops: boolean[] = [];
  readonly number: number;
  readonly takesOver: boolean;
  readonly pid = 1;
  readonly serving = this.#serving.promise;
  readonly ended = this.#ended.promise;

  constructor(number: number, takesOver: boolean) {
    this.number = number;
    this.takesOver = takesOver;
  }

  serve(): void {
    this.#serving.resolve(`http://127.0.0.1:8080`);
  }
  end(how: string, reason: string | null = null, metrics: ProcessMetrics = []): void {
    this.#serving.resolve(null);
    this.#ended.resolve({ how, reason, metrics });
  }
  stop(drain: boolean): void {
    this.stops.push(drain);
    if (!this.isBusy && !(drain && this.isDraining)) this.end('exit code 0', null, this.counted);
  }
  /** How often it was asked to let load balancers know. */
  announcements = 0;
  announceStop(): void {
    this.announcements += 1;
  }
  kills = 0;
  kill(): void {
    this.kills += 1;
    this.end('SIGKILL');
  }
  /** What it has counted so far. */
  counted: ProcessMetrics = [];
  /** Whether it goes on after `stop`, with what it has begun. */
  isBusy = false;
  /** Whether open connections keep it running after a `stop` that drains. */
  isDraining = false;
  metrics = () => Promise.resolve(this.counted);
  isHung = false;
  answer = () => (this.isHung ? new Promise<void>(() => undefined) : Promise.resolve());
}

const SERVES_WITHIN_MS = 60_000;
const MIN_DRAIN_MS = 5_000;
const STOPS_WITHIN_MS = 110_000;

/** Runs a supervisor of such processes, whose time the test has go by. */
export function supervise(t: TestContext, processes: number, maxDraining = processes) {
  const time = { now: 0 };
  const children: FakeChild[] = [];
  const pauses: number[] = [];
  const lines: string[] = [];
  const addresses: string[] = [];
  const stop = new AbortController();
  /** A stop is requested, before it begins. */
  const stopRequest = new AbortController();
  /** The time within which a successor must serve is over. */
  const late = Promise.withResolvers<void>();
  /** The time for which each process may drain is over. */
  const drainedLong = Promise.withResolvers<void>();
  /** The time within which all must end at a stop is over. */
  const stopsLate = Promise.withResolvers<void>();
  const questions = { asked: Promise.withResolvers<void>() };
  /** Lets a time go by in which every process is asked for a sign of life. */
  const nextQuestion = async () => {
    questions.asked.resolve();
    questions.asked = Promise.withResolvers();
    await settled();
  };
  const log = { info: (line: string) => void lines.push(line), error: (line: string) => void lines.push(line) };
  const program: { obstacle: string | null } = { obstacle: null };
  const supervisor = new ServingSupervisor({
    ...{ processes, maxDraining, log, clock: () => time.now, stopRequested: stopRequest.signal },
    obstacle: () => program.obstacle,
    onServing: (address) => addresses.push(address),
    start: (number, takesOver) => {
      const child = new FakeChild(number, takesOver);
      children.push(child);
      return child;
    },
    pause: (ms) => {
      if (ms === SERVES_WITHIN_MS) return late.promise;
      if (ms === MIN_DRAIN_MS) return drainedLong.promise;
      if (ms === STOPS_WITHIN_MS) return stopsLate.promise;
      if (ms === ASK_EVERY_MS) return questions.asked.promise;
      pauses.push(ms);
      return Promise.resolve();
    },
  });
  const run = supervisor.run(stop.signal);
  run.catch(() => undefined);
  t.after(async () => {
    stop.abort();
    for (const each of children) each.end('exit code 0');
    await run.catch(() => undefined);
  });
  const child = (index: number) => children[index] as FakeChild;
  /** Has the only process serve, and replaced by a reload: it drains then. */
  const replaceFirst = async () => {
    child(0).isDraining = true;
    child(0).serve();
    await settled();
    const reload = supervisor.reload();
    await settled();
    child(1).serve();
    await reload;
  };
  return {
    supervisor,
    program,
    children,
    child,
    pauses,
    lines,
    addresses,
    stop,
    stopRequest,
    late,
    drainedLong,
    stopsLate,
    nextQuestion,
    replaceFirst,
    run,
    time,
  };
}

/** Lets every promise that can go on go on. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
