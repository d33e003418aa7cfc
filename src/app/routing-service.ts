/** The ways between places: the routing engine's where there is one and it can say, else those of the built-in roads. */
import type { Logger } from 'pino';
import type { JourneyPlanner, JourneyRoute } from '../api/endpoints/journey.ts';
import { createResilientRouter, type ResilientRouter } from '../clients/routing/resilient-router.ts';
import { createRoadRouter } from '../clients/routing/road-router.ts';
import type { Config } from '../config/config.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { Point } from '../domain/point.ts';
import { type RouteFinder, routeFinder } from '../domain/roads/route.ts';
import { loadRoads } from '../geodata/load-roads.ts';
import { userAgentOf } from './feeds.ts';
import type { Metrics } from './metrics.ts';

/** Puts the journeys together. What the engine calls impossible is impossible; the roads, read when first needed, answer only where it cannot. */
export function createJourneys(
  gazetteer: Gazetteer,
  engine: Pick<ResilientRouter, 'way'> | null = null,
): JourneyPlanner {
  let find: RouteFinder | undefined;
  const builtIn = (from: Point, to: Point): JourneyRoute => {
    find ??= routeFinder(loadRoads(gazetteer));
    const route = find(from, to);
    return 'unreachable' in route ? 'impossible' : route;
  };
  return {
    resolve: (text) => gazetteer.resolvePlace(text),
    findRoute: async (from, to) => (await engine?.way(from, to)) ?? builtIn(from, to),
  };
}

type RouterSettings = Pick<Config, 'ROUTER_URL' | 'ROUTER_KIND' | 'CONTACT'>;

/** The engine of `ROUTER_URL`; `null` = none is set. */
export function routerOf(config: RouterSettings, log: Pick<Logger, 'warn'>, metrics: Metrics): ResilientRouter | null {
  const { ROUTER_URL: url, ROUTER_KIND: kind } = config;
  if (url === null) return null;
  const failures = metrics.routerFailures(kind);
  return createResilientRouter(createRoadRouter({ url, kind, userAgent: userAgentOf(config) }), {
    clock: () => performance.now(),
    onFailure: () => failures.inc(),
    warn: (message) => log.warn(message),
  });
}
