/** Routes between places: from the routing engine if one is set and answers, else from the built-in roads. */
import type { Logger } from 'pino';
import type { JourneyPlanner } from '../api/endpoints/journey.ts';
import { SpellingSuggestions } from '../api/endpoints/spelling-suggestions.ts';
import type { Caller } from '../api/request/caller.ts';
import { createResilientRouter, type ResilientRouter } from '../clients/routing/resilient-router.ts';
import { createRoadRouter } from '../clients/routing/road-router.ts';
import { runInSlices } from '../concurrency/in-slices.ts';
import type { Config } from '../config/config.ts';
import { clientNetwork } from '../domain/access/client-network.ts';
import type { Gazetteer } from '../domain/places/gazetteer.ts';
import type { Point } from '../domain/point.ts';
import { type DetourFinder, type JourneyDetours, journeyDetours } from '../domain/roads/detour.ts';
import { type RouteFinder, routeFinder } from '../domain/roads/route.ts';
import { loadRoadsInSlices } from '../geodata/load-roads.ts';
import { prepareBaseMap } from '../site/map/base-map.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { createJourneyTurns } from './client-turns.ts';
import type { Metrics } from './metrics/metrics.ts';
import { userAgentOf } from './settings/derived-settings.ts';

/** The routes on the built-in roads, once these are loaded. */
export type BuiltInRoutes = () => Promise<{ readonly findRoute: RouteFinder; readonly findDetours: JourneyDetours }>;

type FoundRoute = Exclude<Awaited<ReturnType<JourneyPlanner['findRoute']>>, 'no_route'>;
/** `credit`: who must be named where the route is shown; `null` = nobody. */
type CreditedRoute = FoundRoute & { readonly credit: string | null };

/** What pages need besides: how long the detours of a journey are, on the built-in roads. */
export type DetourPlanner = Omit<JourneyPlanner, 'findRoute'> & {
  /** As the API's; a page awaits the engine outside its turn of rendering. */
  readonly findRoute: (
    ...journey: [...Parameters<JourneyPlanner['findRoute']>, outsideTurn?: <T>(answer: Promise<T>) => Promise<T>]
  ) => Promise<CreditedRoute | 'no_route'>;
  /** Resolves in the turn of the caller if the built-in roads are loaded. */
  readonly findDetours: (from: Point, to: Point) => Promise<DetourFinder | undefined>;
};

const atOnce = <T>(answer: Promise<T>): Promise<T> => answer;

/** Loads the built-in roads at the first call, in slices, so that the event loop does not stop for them. */
export function createBuiltInRoutes(gazetteer: Gazetteer): BuiltInRoutes {
  let loading: ReturnType<BuiltInRoutes> | undefined;
  return () => {
    loading ??= runInSlices(loadRoadsInSlices(gazetteer)).then((graph) => ({
      findRoute: routeFinder(graph),
      findDetours: journeyDetours(graph),
    }));
    return loading;
  };
}

/** How long after a snapshot: what waited for it is answered by then, or the first prices are there. */
const ROADS_AFTER_MS = { prices: 1_000, none: 30_000 };

/**
 * Loads the roads once, some time after the first snapshots, unless `signal` is aborted: prices and keys go first. A
 * journey that comes before loads them; a map does so, too, and stops the event loop meanwhile.
 */
export function loadRoadsAfterPrices(
  builtInRoutes: BuiltInRoutes,
  log: Pick<Logger, 'error'>,
  signal: AbortSignal,
): (snapshot: Pick<Snapshot, 'updatedAt'>) => void {
  let isLoading = false;
  const load = () => {
    if (isLoading || signal.aborted) return;
    isLoading = true;
    builtInRoutes()
      // The map draws the same roads.
      .then(prepareBaseMap)
      .catch((error: Error) => log.error(`the built-in roads cannot be read: ${error.message}`));
  };
  return ({ updatedAt }) => {
    if (!isLoading) setTimeout(load, updatedAt === null ? ROADS_AFTER_MS.none : ROADS_AFTER_MS.prices).unref();
  };
}

/** Engines use the data of OpenStreetMap, whose licence demands it. */
const ENGINE_CREDIT = '© OpenStreetMap contributors';

/**
 * Creates the journey planner. When the engine reports that there is no route, that is final; the built-in roads answer
 * only when the engine is unavailable. By default each connection's peer is a client.
 */
export function createJourneyPlanner(
  gazetteer: Gazetteer,
  engine: Pick<ResilientRouter, 'findRoute'> | null = null,
  clientOf: (caller: Caller) => string = ({ peer }) => peer.remoteAddress ?? 'unknown',
  builtInRoutes: BuiltInRoutes = createBuiltInRoutes(gazetteer),
): DetourPlanner {
  const suggestions = new SpellingSuggestions({ search: (text) => gazetteer.suggestPlaces(text) });
  const takeTurn = createJourneyTurns();
  return {
    findPlace: (text) => gazetteer.findPlace(text),
    suggestPlaces: (text, caller) => suggestions.find(text, clientOf(caller)),
    findRoute: async (from, to, caller, outsideTurn = atOnce) => {
      const client = clientOf(caller);
      const who = { client, network: clientNetwork(client) };
      const byEngine = engine === null ? null : await outsideTurn(engine.findRoute(from, to, who));
      if (byEngine) {
        await takeTurn(client);
        return byEngine === 'no_route' ? byEngine : { ...byEngine, credit: ENGINE_CREDIT };
      }
      const builtIn = await builtInRoutes();
      await takeTurn(client);
      const route = builtIn.findRoute(from, to);
      return 'unreachable' in route ? 'no_route' : { ...route, credit: null };
    },
    findDetours: async (from, to) => (await builtInRoutes()).findDetours(from, to),
  };
}

type RouterSettings = Pick<Config, 'ROUTER_URL' | 'ROUTER_KIND' | 'CONTACT'>;

/** The engine of `ROUTER_URL`; `null` = none is set. `clock` gives milliseconds that never go back. */
export function routerOf(
  config: RouterSettings,
  log: Pick<Logger, 'warn'>,
  metrics: Metrics,
  clock: () => number = () => performance.now(),
): ResilientRouter | null {
  const { ROUTER_URL: url, ROUTER_KIND: kind } = config;
  if (url === null) return null;
  const failures = metrics.routerFailures(kind);
  return createResilientRouter(createRoadRouter({ url, kind, userAgent: userAgentOf(config) }), {
    clock,
    onFailure: () => failures.inc(),
    warn: (message) => log.warn(message),
  });
}
