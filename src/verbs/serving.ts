/** A running service: the API on its address, the snapshot kept true, and the worker where it is wanted. */
import type { Logger } from 'pino';
import { type Api, createApi } from '../api/server.ts';
import type { SiteHook } from '../api/site-hook.ts';
import { type Config, publicUrl } from '../config.ts';
import { NO_FACTS } from '../domain/facts.ts';
import { loadGazetteer } from '../gazetteer.ts';
import { createSite } from '../site/site.ts';
import { buildSnapshot } from '../snapshot/build.ts';
import { History } from '../snapshot/history.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import type { Schema } from '../store/schema.ts';
import { type Follower, follow } from '../worker/follow.ts';
import { startWorker, type Worker } from '../worker/schedule.ts';
import { connectWithPatience } from './connect.ts';
import { collectorOf, rulesOf, scheduleOf } from './parts.ts';
import { Failure } from './verb.ts';

export type ServingOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly worker: boolean;
  /** Whether the data are simulated: every page then says so. */
  readonly simulated: boolean;
  readonly signal: AbortSignal;
};

export type Serving = {
  /** `http://HOST:PORT` as listened on. */
  readonly address: string;
  /** The database once it is there; `null` when the service was stopped before. Rejects when the operator must act. */
  readonly database: Promise<Database<Schema> | null>;
  readonly follower: Follower;
  snapshot(): Snapshot;
  close(): Promise<void>;
};

/** Listens at once, with the last good facts or with nothing; the database joins when it can be had. */
export async function startServing(options: ServingOptions): Promise<Serving> {
  const { config, log, signal } = options;
  const rules = rulesOf(config);
  const empty = buildSnapshot({ ...rules, facts: NO_FACTS, now: Date.now(), history: new History() });
  let snapshot = empty;
  let port = config.PORT;
  const address = () => publicUrl(config, port);
  const site: SiteHook = createSite({ publicUrl: address, simulated: options.simulated, snapshot: () => snapshot });
  const api = await createApi({ snapshot, gazetteer: loadGazetteer(), publicUrl: address, site, log, clock: Date.now });
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
    throw new Failure((error as Error).message);
  });
  port = bound.port;
  let worker: Worker | undefined;
  const database = connectWithPatience(config, log, signal).then((opened) => {
    if (opened === null) return null;
    follower.attach(opened);
    if (options.worker) worker = startWorker(scheduleOf(config, collectorOf(config, opened, log), log));
    return opened;
  });
  return {
    address: `http://${bound.host.includes(':') ? `[${bound.host}]` : bound.host}:${bound.port}`,
    database,
    follower,
    snapshot: () => snapshot,
    close: () => close(api, follower, database, () => worker),
  };
}

async function close(
  api: Api,
  follower: Follower,
  database: Promise<Database<Schema> | null>,
  worker: () => Worker | undefined,
): Promise<void> {
  await api.close();
  const opened = await database.catch(() => null);
  await worker()?.close();
  await follower.close();
  await opened?.close();
}
