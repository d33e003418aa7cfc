/** A routing engine that may fail: equal questions at once are one, nobody waits for it in vain, and the operator hears of it. */

import { CircuitBreaker, type Permit } from '../../concurrency/circuit-breaker.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import type { Point } from '../../domain/point.ts';
import type { RoadRouter } from './road-router.ts';
import type { EngineRoute } from './routing-engine.ts';

export type ResilientRouterOptions = {
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock: () => number;
  /** Called for each question that failed. */
  readonly onFailure: () => void;
  /** A sentence for the operator: when it fails, and when it is back; at most one failure a minute. */
  readonly warn: (message: string) => void;
};

export type ResilientRouter = {
  /** The way, or that there is none; `null` = the engine cannot say now. */
  way(from: Point, to: Point): Promise<EngineRoute | 'impossible' | null>;
  close(): Promise<void>;
};

export function createResilientRouter(router: RoadRouter, options: ResilientRouterOptions): ResilientRouter {
  const circuit = new CircuitBreaker(options.clock);
  const failureReporter = new FailureReporter(router.name, options);
  const inFlight = new SingleFlight<Awaited<ReturnType<ResilientRouter['way']>>>();
  const ask = async (from: Point, to: Point, permit: Permit) => {
    const answer = await router.way(from, to).catch((bug: unknown) => {
      permit.failed();
      throw bug;
    });
    const failed = typeof answer === 'object' && 'failed' in answer ? answer : null;
    if (failed?.isDown) permit.failed();
    else permit.succeeded();
    failureReporter.report(failed?.failed ?? null);
    return failed ? null : (answer as EngineRoute | 'impossible');
  };
  return {
    way(from, to) {
      const key = [from.lat, from.lng, to.lat, to.lng].join();
      const asked = circuit.isClosed ? inFlight.get(key) : undefined;
      if (asked) return asked;
      const permit = circuit.tryAcquire();
      if (!permit) return Promise.resolve(null);
      return inFlight.start(key, () => ask(from, to, permit));
    },
    close: () => router.close(),
  };
}

const REPORT_INTERVAL_MS = 60_000;

/** Tells of the first failure and of the recovery, and not of every change where good and bad answers take turns. */
class FailureReporter {
  readonly #name: string;
  readonly #options: ResilientRouterOptions;
  #isReported = false;
  #lastReportedAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, watch: ResilientRouterOptions) {
    this.#name = name;
    this.#options = watch;
  }

  report(failure: string | null): void {
    const { clock, warn, onFailure } = this.#options;
    if (failure === null) {
      if (this.#isReported) warn(`the routing engine (${this.#name}) answers again`);
      this.#isReported = false;
      return;
    }
    onFailure();
    if (this.#isReported || clock() - this.#lastReportedAt < REPORT_INTERVAL_MS) return;
    this.#isReported = true;
    this.#lastReportedAt = clock();
    warn(`the routing engine (${this.#name}) failed, the built-in roads take its place: ${failure}`);
  }
}
