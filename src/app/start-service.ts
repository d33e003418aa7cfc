/**
 * Starts a service. Loading the program takes longer than reading the last good facts: so it listens and answers the
 * open prices first, and loads the rest meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceConnection } from './database/service-connection.ts';
import { startEarlyService } from './early-service.ts';
import type { RunningService, ServiceOptions } from './service.ts';

/**
 * Listens, with the last good facts or without any, and connects to the database in the background. Throws
 * `CommandError` where it cannot listen.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const early = await startEarlyService(options);
  let database: ServiceConnection | undefined;
  try {
    await sleep(PAUSE_MS);
    // A server that cannot listen must not migrate the database of the one that does.
    const { connectService } = await import('./database/service-connection.ts');
    database = connectService(options.config, options.log, options.signal);
    for (const load of PARTS) {
      await sleep(PAUSE_MS);
      await load();
    }
    const { completeService } = await import('./service.ts');
    return await completeService(early, database, options);
  } catch (error) {
    await Promise.all([early.httpServer.close(), database?.abandon()]);
    throw error;
  }
}

/**
 * The largest parts of the program. A module and all it imports hold up the event loop while they are loaded: requests
 * are answered in a pause between one part and the next.
 */
const PARTS = [() => import('../api/http/api-server.ts'), () => import('../site/pages/site.ts')];
/** For new connections and their requests. */
const PAUSE_MS = 4;
