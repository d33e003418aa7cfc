/** The parts of a collection, with every source. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../store/connection/database.ts';
import type { Schema } from '../../store/connection/schema.ts';
import type { Collector } from '../../worker/collection/collect.ts';
import { collectionSettingsOf } from '../settings/derived-settings.ts';
import { configuredSources } from './configured-sources.ts';

/** The parts of a collection, with every source that this program knows. */
export function createCollector(config: Config, database: Database<Schema>, log: Logger): Collector {
  return {
    database,
    dataDir: config.DATA_DIR,
    settings: collectionSettingsOf(config),
    configuredSources: configuredSources(config),
    clock: Date.now,
    holder: `${hostname()}:${process.pid}`,
    leaseMs: LEASE_MS,
    deadlineMs: COLLECTION_DEADLINE_MS,
    warn: (message) => log.warn(message),
  };
}

/** A collector that does not renew its lease for this long loses it. */
const LEASE_MS = 30_000;
const COLLECTION_DEADLINE_MS = 45 * 60_000;
