/** The database of a service, which connects to it in the background. */
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { hasNoDatabase } from '../../config/follower-settings.ts';
import type { Database } from '../../store/connection/database.ts';
import type { InitialConnection } from '../../store/connection/initial-connection.ts';
import { AddressHash } from '../../store/limits/address-hash.ts';
import { createDatabaseConnection } from './configured-database.ts';

export type ServiceConnection = {
  readonly connection: InitialConnection;
  /** Ready as soon as the database is. */
  readonly addressHash: AddressHash;
  /** The database once it is open; `null` = none, or it was stopped before. Rejects if the operator must act. */
  readonly opening: Promise<Database | null>;
  /** Stops the attempts, and closes what was opened. */
  abandon(): Promise<void>;
};

/** Begins to connect, until `signal` is aborted. */
export function connectService(config: Config, log: Logger, signal: AbortSignal): ServiceConnection {
  const abandoned = new AbortController();
  const addressHash = new AddressHash();
  const stop = AbortSignal.any([signal, abandoned.signal]);
  const connection = createDatabaseConnection(config, log, stop, (opened) =>
    // Opens a reserved connection: the first keys do not wait for one.
    addressHash.readKeys(opened.reserved),
  );
  const opening = hasNoDatabase(config) ? Promise.resolve(connection.stayUnavailable()) : connection.connect();
  // Callers that await it get the rejection; this keeps it from being unhandled.
  opening.catch(() => undefined);
  return {
    ...{ connection, addressHash, opening },
    async abandon() {
      abandoned.abort();
      await opening.then((database) => database?.close()).catch(() => undefined);
    },
  };
}
