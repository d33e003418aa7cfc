/**
 * Wraps a routing engine that may fail: shares equal concurrent requests, stops calling it while it is down, and warns
 * the operator.
 */

import { CircuitBreaker, type Permit } from '../../concurrency/circuit-breaker.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { Point } from '../../domain/point.ts';
import type { RoadRouter } from './road-router.ts';
import type { EngineRoute } from './routing-engine.ts';

/** Where good and bad answers take turns the operator does not hear of every change. */
const REPORT_INTERVAL_MS = 60_000;

export type ResilientRouterOptions = {
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock: () => number;
  /** Called for each failed request. */
  readonly onFailure: () => void;
  /** Receives a sentence for the operator on failure and recovery; at most one failure per minute. */
  readonly warn: (message: string) => void;
};

export type ResilientRouter = {
  /** The route, or that there is none; `null` = the engine is unavailable. */
  way(from: Point, to: Point): Promise<EngineRoute | 'impossible' | null>;
  close(): Promise<void>;
};

export function createResilientRouter(router: RoadRouter, options: ResilientRouterOptions): ResilientRouter {
  const { clock, warn, onFailure } = options;
  const circuit = new CircuitBreaker(clock);
  const outage = new WarnOnce({
    warn: (why) => warn(`the routing engine (${router.name}) failed, the built-in roads take its place: ${why}`),
    onRecovery: () => warn(`the routing engine (${router.name}) answers again`),
    minIntervalMs: REPORT_INTERVAL_MS,
    clock,
  });
  const inFlight = new SingleFlight<Awaited<ReturnType<ResilientRouter['way']>>>();
  const ask = async (from: Point, to: Point, permit: Permit) => {
    const answer = await router.way(from, to).catch((bug: unknown) => {
      permit.failed();
      throw bug;
    });
    const failed = typeof answer === 'object' && 'failed' in answer ? answer : null;
    if (failed?.isDown) permit.failed();
    else permit.succeeded();
    if (failed === null) {
      outage.succeeded();
      return answer as EngineRoute | 'impossible';
    }
    onFailure();
    outage.failed(failed.failed);
    return null;
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
