/** A running service: the API on its address, the snapshot that follows the database, and the worker if requested. */
import type { Logger } from 'pino';
import { ChangeLog } from '../api/changes/change-log.ts';
import { latestChangesOf } from '../api/changes/read-latest-changes.ts';
import { publicReviews } from '../api/endpoints/reviews.ts';
import { publicationRoutes } from '../api/followers/publication-routes.ts';
import { createApi } from '../api/http/api-server.ts';
import type { Caller } from '../api/request/caller.ts';
import type { SitePageLookup } from '../api/response/site-pages.ts';
import { type Config, publicUrl } from '../config/config.ts';
import { hasNoDatabase } from '../config/follower-settings.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { mcpRoute } from '../mcp/mcp-route.ts';
import { prepareSearch } from '../site/lookup/site-search.ts';
import { prepareStationLookup } from '../site/lookup/station-prices.ts';
import { createSite } from '../site/pages/site.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { readBillingStatus } from '../store/billing/billing-status.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { snapshotCounts } from '../telemetry/snapshot-counts.ts';
import { CollectionEstimate } from '../worker/collection/collection-estimate.ts';
import type { ScheduledWorker } from '../worker/scheduler.ts';
import { type ChangeFollower, followChanges } from '../worker/serving/change-follower.ts';
import { SnapshotFollower } from '../worker/serving/snapshot-follower.ts';
import { addressOf, createAccessService } from './access-service.ts';
import { observeBackups } from './backups/observe-backups.ts';
import { createSelling } from './billing/selling.ts';
import { createPageTurns } from './client-turns.ts';
import { CommandError } from './command.ts';
import { createSubmissions } from './create-submissions.ts';
import { logDataFolders } from './data-folders.ts';
import type { ServiceConnection } from './database/service-connection.ts';
import { publishedDumps } from './dumps/published-dumps.ts';
import type { EarlyService } from './early-service.ts';
import { connectReplica, createPublicationRelay, followServer } from './followers/create-followers.ts';
import { createGermanService } from './german-service.ts';
import { startMapStreets } from './map-streets.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { startMetricsServer } from './metrics-server.ts';
import { createPushSubscriptions } from './push-subscriptions.ts';
import { createReadiness, isComplete, type StartingParts } from './readiness/readiness.ts';
import { whenComplete } from './readiness/when-complete.ts';
import { createBuiltInRoutes, createJourneyPlanner, loadRoadsAfterPrices, routerOf } from './routing-service.ts';
import type { ServingPlace } from './serving-place.ts';
import { collectionSettingsOf, userAgentOf } from './settings/derived-settings.ts';
import { version } from './settings/version.ts';
import { shutDown } from './shutdown.ts';
import { startTracing } from './tracing/start-tracing.ts';
import { accountWebhooks, createWebhooks } from './webhooks/stored-webhooks.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly worker: boolean;
  /** Whether the data are simulated: if so, every page says it. */
  readonly simulated: boolean;
  readonly signal: AbortSignal;
  /** Aborted once a stop is requested, `STOP_DELAY` before `signal`; the latter by default. */
  readonly stopRequested?: AbortSignal;
  /** By default it serves HOST and PORT alone. */
  readonly place?: ServingPlace;
};

export type RunningService = {
  /** Resolves when the database is open, is unavailable for now, or has not opened within 3 s. Never rejects. */
  readonly ready: Promise<void>;
  /** `http://HOST:PORT` as listened on. */
  readonly address: string;
  /** The database once it is open; `null` if the service was stopped first. Rejects when the operator must act. */
  readonly database: Promise<Database<Schema> | null>;
  readonly follower: SnapshotFollower;
  snapshot(): Snapshot;
  /** What this process counts, for whoever adds up the counts of several. */
  metrics(): ReturnType<Metrics['json']>;
  /** Ends the scheduled work, and each connection with its next answer; resolves when all have ended (bounded). */
  drain(): Promise<void>;
  close(): Promise<void>;
};

/** The service reports that it is listening after this time, even if its database is still being created. */
const READY_TIMEOUT_MS = 3_000;

/** Starts the rest of a service that answers early. Nothing that lives on refers to `early`, which has a snapshot. */
export async function completeService(
  early: EarlyService,
  { connection, addressHash, opening }: ServiceConnection,
  options: ServiceOptions,
): Promise<RunningService> {
  const { config, log, signal, place, stopRequested = signal } = options;
  const settings = collectionSettingsOf(config);
  const { counts, limits, listening: earlyAddress } = early;
  let { snapshot } = early.first;
  let port = earlyAddress?.port ?? config.PORT;
  const address = () => publicUrl(config, port);
  const estimate = new CollectionEstimate((seconds) => {
    if (snapshot.updatedAt === null) log.info(`the first prices are expected in about ${seconds} s`);
  });
  const tracing = await startTracing(config, version(), log);
  const metrics = await openMetrics(config, version());
  const ownPort = place === undefined ? config.METRICS_PORT : null;
  const metricsServer = await startMetricsServer(metrics, { ...config, METRICS_PORT: ownPort }, log);
  if (!hasNoDatabase(config)) metrics.expectDatabase();
  metrics.observeRequests(counts);
  const counted = snapshotCounts();
  metrics.observeSnapshot({ snapshot: () => snapshot, ...counted, clock: Date.now });
  const router = routerOf(config, log, metrics);
  const shared = { database: connection, hashes: addressHash, log, publicUrl: address };
  const access = createAccessService(config, { ...shared, processes: place?.processes, claims: place?.claims });
  metrics.observeLimits(access.batches);
  const submissions = createSubmissions(config, shared);
  const germany = createGermanService(config, { ...shared, takeRequest: access.takeGermanRequest });
  const changes = new ChangeLog();
  const sending = { allowedOrigins: config.WEBHOOK_ORIGINS, userAgent: userAgentOf(config) };
  const webhooks = createWebhooks(sending, connection);
  const selling = createSelling(config, {
    ...{ ...shared, clock: Date.now, captcha: submissions.captchaOfPages },
    webhooks: accountWebhooks(webhooks, changes),
    counts: metrics.webhooks,
  });
  if (selling.offer !== null) metrics.observeBilling(() => readBillingStatus(connection));
  const builtInRoutes = createBuiltInRoutes(loadGazetteer());
  const loadRoads = loadRoadsAfterPrices(builtInRoutes, log, signal);
  const clientOf = (caller: Caller) => addressOf(caller, config).client;
  const journeys = createJourneyPlanner(loadGazetteer(), router, clientOf, builtInRoutes);
  const pageTurns = createPageTurns();
  const mapStreets = await startMapStreets(config.MAP_PMTILES, log, clientOf);
  const followers = createPublicationRelay(config, settings, options.simulated, metrics);
  const dumps = await publishedDumps(config.DATA_DIR, config.DUMP_SOURCES);
  observeBackups(metrics, config, connection);
  metrics.observeDumps(() => dumps?.manifest() ?? null);
  const site: SitePageLookup = createSite({
    dumps: () => dumps?.manifest() ?? null,
    latestChanges: latestChangesOf(changes),
    firstPricesInSeconds: () => estimate.secondsLeft(),
    publicUrl: address,
    contact: config.CONTACT,
    captcha: config.CAPTCHA_KIND,
    captchaSiteKey: config.CAPTCHA_SITE_KEY,
    hasAlerts: config.vapid !== null,
    simulated: options.simulated,
    mapTiles: config.mapTiles,
    streets: mapStreets?.streets ?? null,
    snapshot: () => snapshot,
    gazetteer: settings.gazetteer,
    journeys,
    germany: germany.pages,
    clientOf,
    takeTurn: (visitor) => pageTurns(clientOf(visitor), visitor.gone),
    ranges: settings.ranges,
    collectEveryMs: config.COLLECT_EVERY,
    reviewsOf: (slug) => publicReviews(submissions.reviews, slug),
    reportsOf: (station) => submissions.reports.readAccepted(station),
    selling: selling.offer,
    api: () => api.description,
  });
  const api = await createApi({
    snapshot,
    early,
    ...{ isReady: createReadiness(() => startingParts()), isStopping: () => stopRequested.aborted },
    clientOf,
    accessControl: access.accessControl,
    siteLimit: access.siteLimit,
    keyReport: access.keyReport,
    germany: germany.channel,
    push: createPushSubscriptions(config, shared),
    changes,
    webhooks,
    journeys,
    reviews: submissions.reviews,
    reports: submissions.reports,
    billing: selling.routes,
    webhook: selling.webhook,
    routesOn: ({ endpoints, accessControl, served, siteLimit, stallTimeoutMs }) => [
      {
        group: 'mcp',
        routes: mcpRoute({
          changes,
          ...{ endpoints, accessControl, siteLimit, journeys, log, publicUrl: address, clock: Date.now },
          gazetteer: settings.gazetteer,
          rendered: () => served().rendered,
          simulated: options.simulated,
          version: version(),
        }),
      },
      ...(followers === null
        ? []
        : [{ group: 'publications' as const, routes: publicationRoutes({ ...followers, stallTimeoutMs }) }]),
    ],
    gazetteer: loadGazetteer(),
    publicUrl: address,
    dumps,
    site,
    log,
    counts,
    clock: Date.now,
    limits,
    trustedProxies: config.TRUSTED_PROXIES,
  });
  metrics.observeConnections(api.connectionCounts);
  metrics.observeSiteRefusals(access.siteLimit.refusals);
  const ready = connection.whenReady(READY_TIMEOUT_MS).then(() => undefined);
  const follower = await SnapshotFollower.start({
    dataDir: config.DATA_DIR,
    settings,
    clock: Date.now,
    first: early.first,
    log,
    ...counted,
    onLoaded: (state, isFromDatabase) =>
      void followers?.relay
        .relay(state, isFromDatabase)
        .catch((error: Error) => log.error(`the publication cannot be relayed to followers: ${error.message}`)),
    // The API replaces its snapshot and the bytes made from it together; this one is for the pages.
    onSnapshot: async (next) => {
      // The first one is served already: a page that comes before the next one makes them itself.
      if (next !== snapshot) {
        await prepareStationLookup(next);
        await prepareSearch(next, settings.gazetteer);
      }
      await api.refresh(next);
      snapshot = next;
      void ready.then(() => loadRoads(next));
    },
  });
  let worker: ScheduledWorker | undefined;
  let changeFollower: ChangeFollower | undefined;
  const followed =
    config.FOLLOW_URL === null || followers === null
      ? null
      : followServer({
          ...{ url: config.FOLLOW_URL, ...followers, settings, follower, log, metrics },
          userAgent: userAgentOf(config),
        });
  const startingParts = (): StartingParts => {
    return { snapshot: follower, followed, database: connection, hasReadChanges: changeFollower?.hasRead ?? false };
  };
  const replica = connectReplica(config, log, signal);
  const connect = async () => {
    // Loaded now: the database may open long after another release has replaced the files.
    const scheduledWork = options.worker ? import('./scheduled-work/start-scheduled-work.ts') : null;
    const [opened, work] = await Promise.all([opening, scheduledWork]);
    if (opened === null) return null;
    metrics.observeDatabase(opened);
    // Prices are served already, from the disk.
    await access.waitForKeys();
    if (followed === null) follower.useDatabase(opened, replica?.database);
    changeFollower = followChanges(opened, changes, {
      ...{ log, clock: Date.now, servedVersion: () => snapshot.version },
    });
    logDataFolders(config, log);
    if (work !== null && !signal.aborted) {
      worker = work.startScheduledWork(config, opened, log, {
        counts: { webhook: metrics.webhooks },
        onWebhook: metrics.deliveries,
        work: metrics.observeWorker(),
        simulated: options.simulated,
        estimate,
      });
    }
    return opened;
  };
  const takenOver = place?.takesOver ? connect() : null;
  const listen = async () => {
    // Only now: what waits may ask for all that is above.
    api.answer();
    if (earlyAddress !== null) return earlyAddress;
    const isStarted = () => isComplete(startingParts());
    if (takenOver !== null) await whenComplete({ isComplete: isStarted, database: takenOver, log, signal });
    return api.listen(place?.socket ?? { host: config.HOST, port: config.PORT });
  };
  const listening = await listen().catch(async (error) => {
    await Promise.all([followed?.close(), replica?.close()]);
    await followers?.relay.close();
    await follower.close();
    await api.close();
    dumps?.close();
    await Promise.all([metricsServer.close(), router?.close(), mapStreets?.close(), tracing.close()]);
    throw new CommandError((error as Error).message);
  });
  port = listening.port;
  const database = takenOver ?? connect();
  // A caller that awaits it gets the rejection; this keeps it from being an unhandled one when nobody does.
  database.catch(() => undefined);
  return {
    address: `http://${listening.host.includes(':') ? `[${listening.host}]` : listening.host}:${listening.port}`,
    ...{ ready, database, follower },
    snapshot: () => snapshot,
    metrics: () => metrics.json(),
    drain: async () => void (await Promise.all([worker?.close(), api.drain()])),
    close: () =>
      shutDown({
        ...{ dumps, webhooks, followed, replica, relay: followers?.relay ?? null },
        ...{ api, access, germany, submissions, follower, metricsServer, router, mapStreets, database, tracing },
        worker: () => worker,
        changes: () => changeFollower,
      }),
  };
}
