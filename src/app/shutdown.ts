/** The order in which a running service stops. */
import type { Database } from '../store/connection/database.ts';
import type { Schema } from '../store/connection/schema.ts';

type Closable = { close(): Promise<unknown> };

export type RunningParts = {
  readonly api: Closable;
  readonly access: Closable;
  readonly germany: Closable;
  readonly submissions: Closable;
  readonly webhooks: Closable;
  readonly follower: Closable;
  /** The server that this one follows; `null` = none. */
  readonly followed: Closable | null;
  /** What relays its publication to followers; `null` = nothing. */
  readonly relay: Closable | null;
  readonly replica: Closable | null;
  readonly metricsServer: Closable;
  readonly tracing: Closable;
  readonly router: Closable | null;
  readonly mapStreets: Closable | null;
  readonly dumps: { close(): void } | null;
  /** `null` = it never opened. */
  readonly database: Promise<Database<Schema> | null>;
  /** The worker, if one was started. */
  readonly worker: () => Closable | undefined;
  /** What follows the feed of changes, once the database has opened. */
  readonly changes: () => Closable | undefined;
};

/**
 * Stops each part after those that use it: first the API, so that requests under way still find everything, and last
 * the database. Only the API has a bound (5 s, then it cuts connections); a publication that has begun is completed.
 */
export async function shutDown(parts: RunningParts): Promise<void> {
  try {
    const relay = parts.relay?.close();
    await parts.api.close();
    await relay;
    await parts.followed?.close();
    // Once a stop is requested, an attempt to connect ends with `null`.
    const database = await parts.database.catch(() => null);
    await parts.worker()?.close();
    await parts.access.close();
    await parts.germany.close();
    await parts.submissions.close();
    await parts.webhooks.close();
    await parts.follower.close();
    await parts.changes()?.close();
    await parts.replica?.close();
    await database?.close();
  } finally {
    parts.dumps?.close();
    const { metricsServer, tracing, router, mapStreets } = parts;
    await Promise.all([metricsServer.close(), tracing.close(), router?.close(), mapStreets?.close()]);
  }
}
