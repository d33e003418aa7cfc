/** Servers that follow each other, created from the settings: whom this one follows, and what it relays to others. */
import type { Logger } from 'pino';
import { createPublicationClient } from '../../clients/publication-client.ts';
import type { Config } from '../../config/config.ts';
import type { CollectionSettings } from '../../domain/prices/collection-settings.ts';
import { settingsDigest } from '../../domain/prices/publication-announcement.ts';
import type { Database } from '../../store/connection/database.ts';
import { openDatabase } from '../../store/connection/database.ts';
import { InitialConnection } from '../../store/connection/initial-connection.ts';
import type { Schema } from '../../store/connection/schema.ts';
import { messageOf } from '../../store/database-errors.ts';
import { FollowedServer, LONG_POLL_MS } from '../../worker/serving/followed-server.ts';
import { MAX_PART_BYTES } from '../../worker/serving/publication-parts.ts';
import { PublicationRelay } from '../../worker/serving/publication-relay.ts';
import type { SnapshotFollower } from '../../worker/serving/snapshot-follower.ts';

/** Where servers that follow each other are shown. */
type FollowerMetrics = {
  observeFollowed(followed: FollowedServer): void;
  observeRelay(relay: PublicationRelay): void;
};

/** What followers get, and the secret that they need; `null` = nothing. Simulated prices are relayed to nobody. */
export function createPublicationRelay(
  { FOLLOW_TOKEN: token }: Config,
  settings: CollectionSettings,
  simulated: boolean,
  metrics: FollowerMetrics,
): { readonly relay: PublicationRelay; readonly token: string } | null {
  if (token === null || simulated) return null;
  const relay = new PublicationRelay(settingsDigest(settings));
  metrics.observeRelay(relay);
  return { relay, token };
}

export type FollowServerOptions = {
  readonly url: string;
  readonly relay: PublicationRelay;
  readonly token: string;
  readonly settings: CollectionSettings;
  readonly userAgent: string;
  readonly follower: SnapshotFollower;
  readonly log: Logger;
  readonly metrics: FollowerMetrics;
};

/** Follows a server from now on. */
export function followServer(options: FollowServerOptions): FollowedServer {
  const { url, token, userAgent, relay, settings, follower, log, metrics } = options;
  const followed = new FollowedServer({
    client: createPublicationClient({ url, token, userAgent, maxPartBytes: MAX_PART_BYTES }, LONG_POLL_MS),
    held: () => follower.loaded,
    take: (state) => follower.take(state),
    settings: settingsDigest(settings),
    clock: Date.now,
    ...{ relay, log },
  });
  metrics.observeFollowed(followed);
  return followed;
}

/** A replica that is connected in the background. */
export type ReplicaConnection = { readonly database: () => Database<Schema> | null; close(): Promise<void> };

/** A publication is read by one connection; the other asks for the version meanwhile. */
const REPLICA_CONNECTIONS = 2;

/** Connects to `DATABASE_READ_URL`; `null` = there is none. */
export function connectReplica(config: Config, log: Logger, signal: AbortSignal): ReplicaConnection | null {
  const { DATABASE_READ_URL: databaseUrl, DATA_DIR: dataDir } = config;
  if (databaseUrl === null) return null;
  let opened: Database<Schema> | null = null;
  const closing = new AbortController();
  const ended = AbortSignal.any([signal, closing.signal]);
  const connection = new InitialConnection({
    open: () =>
      openDatabase<Schema>({
        ...{ databaseUrl, dataDir, log, signal: ended, connections: REPLICA_CONNECTIONS, setting: 'DATABASE_READ_URL' },
      }),
    prepare: async () => undefined,
    ...{ log, signal: ended },
  });
  const connecting = connection.connect().then(
    (database) => {
      opened = database;
    },
    (error) => log.error(`the replica is not read: ${messageOf(error)}`),
  );
  return {
    database: () => opened,
    async close() {
      closing.abort();
      await connecting;
      await opened?.close();
    },
  };
}
