/** A running service: the API on its address, the snapshot kept true, and the worker where it is wanted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Api, createApi } from '../api/http/server.ts';
import type { SiteHook } from '../api/response/site-pages.ts';
import { type Config, publicUrl } from '../config/config.ts';
import { NO_FACTS } from '../domain/prices/facts.ts';
import { loadGazetteer } from '../geodata/load-gazetteer.ts';
import { createSite } from '../site/pages/site.ts';
import { buildSnapshot } from '../snapshot/build.ts';
import { History } from '../snapshot/history.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';
import { startWorker, type Worker } from '../worker/scheduler.ts';
import { type Follower, follow } from '../worker/serving/snapshot-follower.ts';
import { createGateService, type GateService } from './access-service.ts';
import { Failure } from './command.ts';
import { connectWithPatience } from './database-connection.ts';
import { createGermanService, type GermanService } from './german-service.ts';
import { createMetrics, openMetricsPage } from './metrics.ts';
import { connectionsAllowed } from './open-files.ts';
import { createPushService } from './push-subscriptions.ts';
import { createReviewService, type ReviewService } from './reviews-service.ts';
import { createJourneys, routerOf } from './routing-service.ts';
import { collectorOf, rulesOf, scheduleOf } from './wiring.ts';

export type ServingOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly worker: boolean;
  /** Whether the data are simulated: every page then says so. */
  readonly simulated: boolean;
  readonly signal: AbortSignal;
};

export type Serving = {
  /** Resolves when the database is there, cannot be had for now, or takes long to come. Never rejects. */
  readonly settled: Promise<void>;
  /** `http://HOST:PORT` as listened on. */
  readonly address: string;
  /** The database once it is there; `null` when the service was stopped before. Rejects when the operator must act. */
  readonly database: Promise<Database<Schema> | null>;
  readonly follower: Follower;
  snapshot(): Snapshot;
  close(): Promise<void>;
};

/** A database that is just being made is not waited for before the service says that it is there. */
const SETTLED_WITHIN_MS = 3_000;

const nothing = () => undefined;

/** Listens at once, with the last good facts or with nothing; the database joins when it can be had. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { config, log, signal } = options;
  const rules = rulesOf(config);
  const empty = buildSnapshot({ ...rules, facts: NO_FACTS, now: Date.now(), history: new History() });
  let snapshot = empty;
  let port = config.PORT;
  const address = () => publicUrl(config, port);
  const site: SiteHook = createSite({ publicUrl: address, simulated: options.simulated, snapshot: () => snapshot });
  const metrics = createMetrics();
  const page = await openMetricsPage(metrics, config.METRICS_PORT, log);
  const router = routerOf(config, log, metrics);
  const outside = { close: () => Promise.all([page.close(), router?.close()]) };
  const access = createGateService(config, log, address);
  const push = createPushService(config, log, access.hash);
  const reviews = createReviewService(config, log, { publicUrl: address, hash: access.hash });
  const germany = createGermanService(config, log);
  access.expect();
  const api = await createApi({
    snapshot,
    gate: access.gate,
    keyReport: access.keyReport,
    germany: germany.channel,
    push: push.push,
    journeys: createJourneys(loadGazetteer(), router),
    reviews: reviews.reviews,
    gazetteer: loadGazetteer(),
    publicUrl: address,
    site,
    log,
    clock: Date.now,
    limits: { connections: connectionsAllowed() },
  });
  const follower = await follow({
    dataDir: config.DATA_DIR,
    rules,
    clock: Date.now,
    log,
    onSnapshot: async (next) => {
      await api.refresh(next);
      snapshot = next;
    },
  });
  const bound = await api.listen({ host: config.HOST, port: config.PORT }).catch(async (error) => {
    await follower.close();
    await api.close();
    await outside.close();
    throw new Failure((error as Error).message);
  });
  port = bound.port;
  let worker: Worker | undefined;
  const away = Promise.withResolvers<void>();
  const joined = connectWithPatience(config, log, signal, access.attach, () => {
    access.waitNoMore();
    away.resolve();
  });
  const database = joined.then((opened) => {
    if (opened === null) return null;
    follower.attach(opened);
    reviews.attach(opened);
    push.attach(opened);
    germany.attach(opened);
    if (options.worker) worker = startWorker(scheduleOf(config, collectorOf(config, opened, log), log));
    return opened;
  });
  const known = database.then(nothing, nothing);
  return {
    settled: Promise.race([known, away.promise, sleep(SETTLED_WITHIN_MS, undefined, { ref: false })]),
    address: `http://${bound.host.includes(':') ? `[${bound.host}]` : bound.host}:${bound.port}`,
    database,
    follower,
    snapshot: () => snapshot,
    close: () => close({ api, access, germany, reviews, follower }, database, () => worker).finally(outside.close),
  };
}

type Parts = {
  readonly api: Api;
  readonly access: GateService;
  readonly germany: GermanService;
  readonly reviews: ReviewService;
  readonly follower: Follower;
};

async function close(
  { api, access, germany, reviews, follower }: Parts,
  database: Promise<Database<Schema> | null>,
  worker: () => Worker | undefined,
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
