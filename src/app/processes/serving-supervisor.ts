/**
 * Keeps a number of serving processes running: replaces each that ends by itself or hangs, and exchanges them one by
 * one on a reload. A process is always started on the socket of the one that it replaces.
 */
import { whenAborted } from '../../concurrency/when-aborted.ts';
import { CommandError } from '../command.ts';
import { whenHung } from './find-hung.ts';
import { isWithin, type Pause, waitFor } from './is-within.ts';
import { addCounts, type MetricsOfProcesses } from './merge-metrics.ts';
import { MIN_DRAIN_MS } from './process-count.ts';
import type { Ending, ServingChild } from './serving-child.ts';
import type { SupervisorCounts } from './supervisor-counts.ts';
import type { ProcessMetrics } from './supervisor-messages.ts';

export type SupervisorOptions = {
  readonly processes: number;
  /** How many replaced processes may serve their open connections on at a time; as many as `processes` by default. */
  readonly maxDraining?: number;
  /** Starts the process with a number, from 1 on; `takesOver` = one with this number serves until the new one does. */
  readonly start: (number: number, takesOver: boolean) => ServingChild;
  /** Aborted once a stop is requested, before the signal of `run`: the processes let load balancers know. */
  readonly stopRequested: AbortSignal;
  /** Why no further process may be started, as a sentence: the program on disk is another one; `null` = it may. */
  readonly obstacle: () => string | null;
  /** Called once, when the first process accepts connections, with its address. */
  readonly onServing: (address: string) => void;
  readonly log: { info(message: string): void; error(message: string): void };
  /** By default a timer. */
  readonly pause?: Pause;
  /** ms; by default `performance.now`. */
  readonly clock?: () => number;
};

/** A process that ends within this time of serving, or before it serves, is one that ends at once. */
const SHORT_LIFE_MS = 5_000;
/** The first is replaced without a pause; while further ones end at once, the pause doubles. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** If no process has ever served, each is tried this often. */
const MAX_STARTS = 3;
/** How long a reload waits for a process that is to end: it may be finishing a publication. */
const ENDS_WITHIN_MS = 20_000;
/** At a stop it may take longer, but less than the 120 s after which the files of `deploy/` have everything killed. */
const STOPS_WITHIN_MS = 110_000;

type Slot = {
  readonly number: number;
  /** The process that serves the socket, or is starting to. */
  child: ServingChild | null;
  /** When it began to serve; `null` = it does not yet. */
  servingSince: number | null;
  isReloading: boolean;
  /** Processes in a row that ended at once. */
  shortLives: number;
  /** Why the last one ended, where another would end like it. */
  failure: string | null;
};

/** A process that has been replaced and serves its open connections on. */
type Draining = {
  readonly child: ServingChild;
  /** Resolves when it has drained for the shortest time. */
  readonly minimum: Promise<void>;
};

export class ServingSupervisor {
  readonly #options: SupervisorOptions;
  readonly #pause: Pause;
  readonly #slots: readonly Slot[];
  readonly #running = new Set<ServingChild>();
  /** The oldest first. */
  readonly #draining = new Set<Draining>();
  readonly #stopping = new AbortController();
  readonly #unable = Promise.withResolvers<never>();
  #hasServed = false;
  #replaced = 0;
  #reload: Promise<void> | null = null;
  #reloadAgain = false;
  /** What those that have ended had counted. */
  #endedMetrics: ProcessMetrics = [];

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#pause = options.pause ?? waitFor;
    this.#slots = Array.from({ length: options.processes }, (_, index) => ({
      ...{ number: index + 1, child: null, servingSince: null, isReloading: false, shortLives: 0, failure: null },
    }));
  }

  /**
   * Runs the processes until the signal, then lets them end, within a bounded time. Rejects with `CommandError` when
   * none can serve.
   */
  async run(signal: AbortSignal): Promise<void> {
    for (const slot of this.#slots) this.#start(slot);
    void whenAborted(this.#options.stopRequested).then(() => {
      for (const child of this.#running) child.announceStop();
    });
    try {
      await Promise.race([whenAborted(signal), this.#unable.promise]);
    } finally {
      this.#stopping.abort();
      for (const child of this.#running) child.stop(false);
      await this.#allEnded();
    }
  }

  /**
   * Exchanges the processes one by one, each once its successor accepts connections, while those before still drain. If
   * a successor cannot serve, the others stay as they are. During a reload it asks for another one after it.
   */
  async reload(): Promise<void> {
    this.#reloadAgain = true;
    this.#reload ??= this.#reloadWhileAsked().finally(() => {
      this.#reload = null;
    });
    await this.#reload;
  }

  get counts(): SupervisorCounts {
    const serving = this.#slots.filter(({ servingSince }) => servingSince !== null).length;
    return { configured: this.#slots.length, serving, replaced: this.#replaced };
  }

  /** What each running process counts, by number; and together what those that have ended had counted. */
  async metrics(): Promise<MetricsOfProcesses> {
    const numbers = new Map(this.#slots.map(({ child, number }) => [child, number]));
    const children = [...this.#running];
    const counted = await Promise.all(children.map(async (child) => ({ child, metrics: await child.metrics() })));
    // One that has ended meanwhile is among the ended.
    const left = counted.filter(({ child }) => this.#running.has(child));
    const running = left.flatMap(({ child, metrics }) => {
      const number = numbers.get(child);
      return number === undefined ? [] : [[number, metrics] as const];
    });
    // Those that have a successor, and finish what they have begun.
    const replaced = left.flatMap(({ child, metrics }) => (numbers.has(child) ? [] : [metrics]));
    return { running: new Map(running), ended: addCounts([this.#endedMetrics, ...replaced]) };
  }

  /** Ends every process at once: for a supervisor that cannot wait. */
  kill(): void {
    for (const child of this.#running) child.kill();
  }

  #start(slot: Slot): void {
    const child = this.#launch(slot, false);
    slot.child = child;
    slot.servingSince = null;
    slot.failure = null;
    void child.serving.then((address) => {
      if (address !== null && slot.child === child) this.#serves(slot, child, address);
    });
  }

  #launch(slot: Slot, takesOver: boolean): ServingChild {
    const { start, stopRequested } = this.#options;
    const child = start(slot.number, takesOver);
    if (stopRequested.aborted) child.announceStop();
    this.#running.add(child);
    void this.#killOnceHung(slot, child);
    void child.ended.then((ending) => {
      this.#running.delete(child);
      this.#endedMetrics = addCounts([this.#endedMetrics, ending.metrics]);
      if (slot.child === child) this.#ended(slot, child, ending);
    });
    return child;
  }

  /** Kills a process that does not begin to serve, or answers no more later, also while it ends. */
  async #killOnceHung({ number }: Slot, child: ServingChild): Promise<void> {
    const problem = await whenHung(child, this.#pause, this.#stopping.signal);
    if (problem === null) return;
    this.#options.log.error(`process ${number}, pid ${child.pid}, ${problem}: it is killed`);
    child.kill();
  }

  #serves(slot: Slot, child: ServingChild, address: string): void {
    const { log, onServing, clock = () => performance.now() } = this.#options;
    slot.child = child;
    slot.servingSince = clock();
    slot.failure = null;
    log.info(`process ${slot.number} serves, pid ${child.pid}`);
    if (!this.#hasServed) onServing(address);
    this.#hasServed = true;
  }

  /** The process of a slot has ended by itself. */
  #ended(slot: Slot, child: ServingChild, { how, reason }: Ending): void {
    const { clock = () => performance.now() } = this.#options;
    const isShort = slot.servingSince === null || clock() - slot.servingSince < SHORT_LIFE_MS;
    slot.shortLives = isShort ? slot.shortLives + 1 : 0;
    slot.child = null;
    slot.servingSince = null;
    const isHopeless = !this.#hasServed && slot.shortLives >= MAX_STARTS;
    slot.failure = reason ?? (isHopeless ? `serving processes end before they serve, the last one with ${how}` : null);
    if (this.#stopping.signal.aborted) return;
    if (!this.#hasServed && this.#slots.every(({ failure }) => failure !== null)) {
      this.#unable.reject(new CommandError(slot.failure ?? how));
      return;
    }
    const pauseMs = slot.shortLives < 2 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (slot.shortLives - 2), LONGEST_PAUSE_MS);
    const when = pauseMs === 0 ? 'now' : `in ${pauseMs / 1000} s`;
    this.#options.log.error(
      `process ${slot.number}, pid ${child.pid}, ended: ${reason ?? how}; another is started ${when}`,
    );
    void this.#replace(slot, pauseMs);
  }

  async #replace(slot: Slot, pauseMs: number): Promise<void> {
    const { signal } = this.#stopping;
    if (pauseMs > 0) await this.#pause(pauseMs, signal).catch(() => undefined);
    // A reload has started its successor.
    if (signal.aborted || slot.child !== null || slot.isReloading) return;
    const obstacle = this.#options.obstacle();
    if (obstacle !== null) return this.#unable.reject(new CommandError(obstacle));
    this.#replaced += 1;
    this.#start(slot);
  }

  async #reloadWhileAsked(): Promise<void> {
    while (this.#reloadAgain && !this.#stopping.signal.aborted) {
      this.#reloadAgain = false;
      const isDone = await this.#reloadAll();
      if (isDone && !this.#reloadAgain) this.#options.log.info('reloaded: every process is a new one');
    }
  }

  async #reloadAll(): Promise<boolean> {
    for (const slot of this.#slots) if (!(await this.#exchange(slot))) return false;
    return true;
  }

  /** Replaces the process of a slot; `false` = its successor cannot serve, or the supervisor stops. */
  async #exchange(slot: Slot): Promise<boolean> {
    const { log } = this.#options;
    const { signal } = this.#stopping;
    await this.#makeRoom();
    if (signal.aborted) return false;
    slot.isReloading = true;
    const successor = this.#launch(slot, true);
    const address = await successor.serving;
    slot.isReloading = false;
    if (address === null) {
      const { how, reason } = await successor.ended;
      if (signal.aborted) return false;
      log.error(`the reload stops, since a new process ${slot.number} does not serve: ${reason ?? how}`);
      if (slot.child === null) void this.#replace(slot, FIRST_PAUSE_MS);
      return false;
    }
    const old = slot.child;
    this.#serves(slot, successor, address);
    if (old === null || signal.aborted) return !signal.aborted;
    this.#drain(old);
    return true;
  }

  /** Lets a process that has been replaced serve its open connections on. */
  #drain(child: ServingChild): void {
    const draining = { child, minimum: this.#endedWithin(child, MIN_DRAIN_MS) };
    this.#draining.add(draining);
    void child.ended.then(() => this.#draining.delete(draining));
    child.stop(true);
  }

  /** Has the oldest that drains end, if there are as many as may be: each takes memory and connections. */
  async #makeRoom(): Promise<void> {
    const { processes, maxDraining = processes, log } = this.#options;
    const [oldest] = this.#draining;
    if (oldest === undefined || this.#draining.size < maxDraining) return;
    await oldest.minimum;
    if (this.#running.has(oldest.child) && !this.#stopping.signal.aborted)
      log.info('there is no room for more replaced processes: the oldest ends, with its idle connections');
    oldest.child.stop(false);
    await this.#endedWithin(oldest.child, ENDS_WITHIN_MS);
    this.#draining.delete(oldest);
  }

  /** Resolves when all have ended; kills those that have not in time. */
  async #allEnded(): Promise<void> {
    const ended = Promise.all(Array.from(this.#running, (child) => child.ended));
    if (!(await isWithin(STOPS_WITHIN_MS, ended, this.#pause))) {
      const pids = Array.from(this.#running, ({ pid }) => `pid ${pid}`).join(', ');
      const time = `${STOPS_WITHIN_MS / 1000} s`;
      this.#options.log.error(`not every process has ended after ${time}: killed are ${pids}`);
      this.kill();
    }
    await ended;
  }

  /** Resolves when a process has ended, or the time is over, or the supervisor stops. */
  async #endedWithin({ ended }: ServingChild, ms: number): Promise<void> {
    await isWithin(ms, ended, this.#pause, this.#stopping.signal);
  }
}
