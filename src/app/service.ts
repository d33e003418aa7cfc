/** A running service: the API on its address, the snapshot kept true, and the worker where it is wanted. */
import type { Logger } from 'pino';
import { type Api, createApi } from '../api/http/server.ts';
import type { SiteHandler } from '../api/response/site-pages.ts';
import { type Config, publicUrl } from '../config/config.ts';
import { NO_PUBLISHED_FACTS } from '../domain/prices/facts.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createSite } from '../site/pages/site.ts';
import { buildSnapshot } from '../snapshot/build.ts';
import { PriceHistory } from '../snapshot/history.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { AddressHash } from '../store/limits/address-hash.ts';
import { type ScheduledWorker, startWorker } from '../worker/scheduler.ts';
import { type SnapshotFollower, startSnapshotFollower } from '../worker/serving/snapshot-follower.ts';
import { type AccessService, createAccessService } from './access-service.ts';
import { CommandError } from './command.ts';
import { createGermanService, type GermanService } from './german-service.ts';
import { createMetrics, startMetricsServer } from './metrics.ts';
import { maxConnections } from './open-files.ts';
import { createPushSubscriptions } from './push-subscriptions.ts';
import { createReviewsComponent, type ReviewsComponent } from './reviews-service.ts';
import { createJourneys, routerOf } from './routing-service.ts';
import { createCollector, createDatabaseConnection, createSchedule, pricingRulesOf } from './wiring.ts';

export type ServiceOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly worker: boolean;
  /** Whether the data are simulated: every page then says so. */
  readonly simulated: boolean;
  readonly signal: AbortSignal;
};

export type RunningService = {
  /** Resolves when the database is there, cannot be had for now, or takes long to come. Never rejects. */
  readonly ready: Promise<void>;
  /** `http://HOST:PORT` as listened on. */
  readonly address: string;
  /** The database once it is there; `null` when the service was stopped before. Rejects when the operator must act. */
  readonly database: Promise<Database<Schema> | null>;
  readonly follower: SnapshotFollower;
  snapshot(): Snapshot;
  close(): Promise<void>;
};

/** A database that is just being made is not waited for before the service says that it is there. */
const READY_TIMEOUT_MS = 3_000;

/** Listens at once, with the last good facts or with nothing; the database joins when it can be had. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, log, signal } = options;
  const rules = pricingRulesOf(config);
  const empty = buildSnapshot({ ...rules, facts: NO_PUBLISHED_FACTS, now: Date.now(), history: new PriceHistory() });
  let snapshot = empty;
  let port = config.PORT;
  const address = () => publicUrl(config, port);
  const site: SiteHandler = createSite({
    publicUrl: address,
    simulated: options.simulated,
    snapshot: () => snapshot,
    api: () => api.description,
  });
  const metrics = createMetrics();
  const metricsServer = await startMetricsServer(metrics, config.METRICS_PORT, log);
  const router = routerOf(config, log, metrics);
  const auxiliary = { close: () => Promise.all([metricsServer.close(), router?.close()]) };
  const addressHash = new AddressHash();
  const connection = createDatabaseConnection(config, log, signal, (opened) => addressHash.readKey(opened));
  const shared = { database: connection, hash: addressHash.of, log, publicUrl: address };
  const access = createAccessService(config, shared);
  const reviews = createReviewsComponent(config, shared);
  const germany = createGermanService(config, connection, log);
  const api = await createApi({
    snapshot,
    accessControl: access.accessControl,
    keyReport: access.keyReport,
    germany: germany.channel,
    push: createPushSubscriptions(config, shared),
    journeys: createJourneys(loadGazetteer(), router),
    reviews: reviews.reviews,
    gazetteer: loadGazetteer(),
    publicUrl: address,
    site,
    log,
    clock: Date.now,
    limits: { connections: maxConnections() },
  });
  const follower = await startSnapshotFollower({
    dataDir: config.DATA_DIR,
    rules,
    clock: Date.now,
    log,
    onSnapshot: async (next) => {
      await api.refresh(next);
      snapshot = next;
    },
  });
  const listening = await api.listen({ host: config.HOST, port: config.PORT }).catch(async (error) => {
    await follower.close();
    await api.close();
    await auxiliary.close();
    throw new CommandError((error as Error).message);
  });
  port = listening.port;
  let worker: ScheduledWorker | undefined;
  const database = connection.connect().then((opened) => {
    if (opened === null) return null;
    follower.useDatabase(opened);
    if (options.worker) worker = startWorker(createSchedule(config, createCollector(config, opened, log), log));
    return opened;
  });
  // Whoever reads it learns of a rejection; nobody has to.
  database.catch(() => undefined);
  return {
    ready: connection.whenReady(READY_TIMEOUT_MS).then(() => undefined),
    address: `http://${listening.host.includes(':') ? `[${listening.host}]` : listening.host}:${listening.port}`,
    database,
    follower,
    snapshot: () => snapshot,
    close: () => close({ api, access, germany, reviews, follower }, database, () => worker).finally(auxiliary.close),
  };
}

type StoppedParts = {
  readonly api: Api;
  readonly access: AccessService;
  readonly germany: GermanService;
  readonly reviews: ReviewsComponent;
  readonly follower: SnapshotFollower;
};

async function close(
  { api, access, germany, reviews, follower }: StoppedParts,
  database: Promise<Database<Schema> | null>,
  worker: () => ScheduledWorker | undefined,
): Promise<void> {
  await api.close();
  const opened = await database.catch(() => null);
  await worker()?.close();
  await access.close();
  await germany.close();
  await reviews.close();
  await follower.close();
  await opened?.close();
}
