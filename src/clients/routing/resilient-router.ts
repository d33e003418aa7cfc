/**
 * Wraps a routing engine that may fail: shares equal concurrent requests and, fairly, its few slots; stops calling it
 * while it is down, and warns the operator. Rule 34.
 */

import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { CircuitBreaker, type Permit } from '../../concurrency/circuit-breaker.ts';
import { FairSemaphore, type SemaphoreClient } from '../../concurrency/fair-semaphore.ts';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import { WarnOnce } from '../../concurrency/warn-once.ts';
import type { Point } from '../../domain/point.ts';
import { MAX_ENGINE_REQUESTS, type RoadRouter } from './road-router.ts';
import type { EngineRoute } from './routing-engine.ts';

/** Shares of the engine. */
const SHARES = {
  slots: MAX_ENGINE_REQUESTS,
  slotsPerClient: 2,
  slotsPerNetwork: 4,
  maxWaiting: 1_000,
  maxWaitingPerClient: 100,
};
/** Wait for a slot, no failure of the engine. With the engine's own deadline an answer takes at most 5 s. */
const MAX_SLOT_WAIT_MS = 1_500;
const MAX_KNOWN_WAITS = 1_000;

export type ResilientRouterOptions = {
  /** Milliseconds since any fixed moment, never going back. */
  readonly clock: () => number;
  /** Called for each failed request. */
  readonly onFailure: () => void;
  /** Receives a sentence for the operator on failure and recovery; at most one failure per minute. */
  readonly warn: (message: string) => void;
};

export type ResilientRouter = {
  /** The route, or that there is none; `null` = the engine is unavailable, or all slots of this client are in use. */
  findRoute(from: Point, to: Point, who: SemaphoreClient): Promise<EngineRoute | 'no_route' | null>;
  close(): Promise<void>;
};

export function createResilientRouter(router: RoadRouter, options: ResilientRouterOptions): ResilientRouter {
  const { clock, warn, onFailure } = options;
  const circuit = new CircuitBreaker(clock);
  const outage = new WarnOnce({
    warn: (why) => warn(`the routing engine (${router.name}) failed, the built-in roads take its place: ${why}`),
    onRecovery: () => warn(`the routing engine (${router.name}) answers again`),
    clock,
  });
  const inFlight = new SingleFlight<Awaited<ReturnType<ResilientRouter['findRoute']>>>();
  const request = async (from: Point, to: Point, permit: Permit) => {
    const answer = await router.findRoute(from, to).catch((bug: unknown) => {
      permit.failed();
      throw bug;
    });
    const failed = typeof answer === 'object' && 'failed' in answer ? answer : null;
    if (failed?.isDown) permit.failed();
    else permit.succeeded();
    if (failed === null) {
      outage.succeeded();
      return answer as EngineRoute | 'no_route';
    }
    onFailure();
    outage.failed(failed.failed);
    return null;
  };
  const slots = new FairSemaphore(SHARES);
  /** By route: aborted when its request begins, which those that wait for a slot then share. */
  const waits = new BoundedMap<AbortController>(MAX_KNOWN_WAITS);
  const slotOf = (key: string, who: SemaphoreClient) => {
    const begun = waits.get(key) ?? new AbortController();
    waits.set(key, begun);
    return slots.acquire(who, AbortSignal.any([begun.signal, AbortSignal.timeout(MAX_SLOT_WAIT_MS)]));
  };
  const begin = async (key: string, from: Point, to: Point) => {
    const permit = circuit.tryAcquire();
    if (!permit) return null;
    const answer = inFlight.start(key, () => request(from, to, permit));
    const others = waits.get(key);
    waits.delete(key);
    others?.abort();
    return answer;
  };
  return {
    async findRoute(from, to, who) {
      const key = [from.lat, from.lng, to.lat, to.lng].join();
      const shared = () => (circuit.isClosed ? inFlight.get(key) : undefined);
      const underWay = shared();
      if (underWay) return underWay;
      // Nobody waits for an engine that was down; its single trial request needs no slot.
      if (!circuit.isClosed) return begin(key, from, to);
      const release = await slotOf(key, who);
      const begunMeanwhile = shared();
      if (begunMeanwhile || release === null) {
        release?.();
        return begunMeanwhile ?? null;
      }
      return begin(key, from, to).finally(release);
    },
    close: () => router.close(),
  };
}
