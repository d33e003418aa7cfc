/** The streets of `MAP_PMTILES` in a running service, which notices when the file is replaced. */
import type { Logger } from 'pino';
import type { Caller } from '../api/request/caller.ts';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { clientNetwork } from '../domain/access/client-network.ts';
import type { SiteStreets } from '../site/pages/site.ts';
import { StreetTiles } from '../vector-tiles/street-tiles.ts';

/** How often the service looks whether there is another file. */
const REFRESH_MS = 15_000;

export type MapStreets = { readonly streets: SiteStreets; close(): Promise<void> };

/**
 * Reads the file first; if it cannot be used, the log says why and the map has no streets until there is another.
 * `null` = no file is set.
 */
export async function startMapStreets(
  path: string | null,
  log: Logger,
  clientOf: (caller: Caller) => string,
): Promise<MapStreets | null> {
  if (path === null) return null;
  const tiles = new StreetTiles(path, { info: (text) => log.info(text), warn: (text) => log.warn(text) });
  await tiles.refresh();
  const timer = setInterval(() => void tiles.refresh(), REFRESH_MS).unref();
  const takeTurn = createStreetTurns();
  const streets: SiteStreets = {
    get version() {
      return tiles.version;
    },
    get maxZoom() {
      return tiles.maxZoom;
    },
    read: (address) => tiles.read(address),
    takeTurn: (visitor) => takeTurn(clientOf(visitor)),
  };
  return {
    streets,
    close: () => {
      clearInterval(timer);
      return tiles.close();
    },
  };
}

/** One at a time; a view of the map asks for up to about 20 tiles at once. */
const SHARES = { slots: 1, slotsPerClient: 1, slotsPerNetwork: 1, maxWaiting: 200, maxWaitingPerClient: 40 };
/** What waits for its turn for longer is refused: its client may have gone. */
const MAX_WAIT_MS = 10_000;
const LONGEST_PAUSE_MS = 500;

/** Resolves when it is the client's turn; what it resolves with ends the turn. `null` = refused: too many wait. */
type StreetTurns = (client: string) => Promise<(() => void) | null>;

/**
 * Turns for drawing tiles with streets: one at a time, waiting networks in turn, and after each a pause as long as it
 * took, so that drawing never takes more than half of the time of the process.
 */
export function createStreetTurns(): StreetTurns {
  const slots = new FairSemaphore(SHARES);
  return async (client) => {
    const who = { client, network: clientNetwork(client) };
    const release = await slots.acquire(who, AbortSignal.timeout(MAX_WAIT_MS));
    if (release === null) return null;
    const begin = performance.now();
    return () => {
      const pauseMs = Math.min(LONGEST_PAUSE_MS, performance.now() - begin);
      setTimeout(release, pauseMs);
    };
  };
}
