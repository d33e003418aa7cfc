/** A routing engine that may fail: equal questions at once are one, nobody waits for it in vain, and the operator hears of it. */

import { Circuit, type Leave } from '../../concurrency/circuit-breaker.ts';
import type { Point } from '../../domain/point.ts';
import type { RoadRouter } from './road-router.ts';
import type { EngineWay } from './routing-engine.ts';

export type Watch = {
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock: () => number;
  /** Called for each question that failed. */
  readonly onFailure: () => void;
  /** A sentence for the operator: when it fails, and when it is back; at most one failure a minute. */
  readonly warn: (message: string) => void;
};

export type WatchedRouter = {
  /** The way, or that there is none; `null` = the engine cannot say now. */
  way(from: Point, to: Point): Promise<EngineWay | 'impossible' | null>;
  close(): Promise<void>;
};

export function watchedRouter(router: RoadRouter, watch: Watch): WatchedRouter {
  const circuit = new Circuit(watch.clock);
  const report = new Report(router.name, watch);
  const underWay = new Map<string, ReturnType<WatchedRouter['way']>>();
  const ask = async (from: Point, to: Point, leave: Leave) => {
    const answer = await router.way(from, to).catch((bug: unknown) => {
      leave.failed();
      throw bug;
    });
    const failed = typeof answer === 'object' && 'failed' in answer ? answer : null;
    if (failed?.down) leave.failed();
    else leave.answered();
    report.tell(failed?.failed ?? null);
    return failed ? null : (answer as EngineWay | 'impossible');
  };
  return {
    way(from, to) {
      const key = [from.lat, from.lng, to.lat, to.lng].join();
      const asked = circuit.isClosed ? underWay.get(key) : undefined;
      if (asked) return asked;
      const leave = circuit.leave();
      if (!leave) return Promise.resolve(null);
      const answer = ask(from, to, leave).finally(() => {
        if (underWay.get(key) === answer) underWay.delete(key);
      });
      underWay.set(key, answer);
      return answer;
    },
    close: () => router.close(),
  };
}

const RARELY_MS = 60_000;

/** Tells of the first failure and of the recovery, and not of every change where good and bad answers take turns. */
class Report {
  readonly #name: string;
  readonly #watch: Watch;
  #told = false;
  #lastTold = Number.NEGATIVE_INFINITY;

  constructor(name: string, watch: Watch) {
    this.#name = name;
    this.#watch = watch;
  }

  tell(failure: string | null): void {
    const { clock, warn, onFailure } = this.#watch;
    if (failure === null) {
      if (this.#told) warn(`the routing engine (${this.#name}) answers again`);
      this.#told = false;
      return;
    }
    onFailure();
    if (this.#told || clock() - this.#lastTold < RARELY_MS) return;
    this.#told = true;
    this.#lastTold = clock();
    warn(`the routing engine (${this.#name}) failed, the built-in roads take its place: ${failure}`);
  }
}
