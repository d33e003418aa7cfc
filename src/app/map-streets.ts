/** The streets of `MAP_PMTILES` in a running service, which notices when the file is replaced. */
import type { Logger } from 'pino';
import type { Caller } from '../api/request/caller.ts';
import type { SiteStreets } from '../site/pages/site-options.ts';
import { createStreetTurns } from './client-turns.ts';

/** How often the service looks whether there is another file. */
const REFRESH_MS = 15_000;

export type MapStreets = { readonly streets: SiteStreets; close(): Promise<void> };

/**
 * Reads the file first; if it cannot be used, the log says why and the map has no streets until there is another.
 * `null` = no file is set.
 */
export async function startMapStreets(
  path: string | null,
  log: Pick<Logger, 'info' | 'warn'>,
  clientOf: (caller: Caller) => string,
): Promise<MapStreets | null> {
  if (path === null) return null;
  // Loaded on demand: most services have no such file, and the reader of its format takes 4 MB.
  const { StreetTiles } = await import('../vector-tiles/street-tiles.ts');
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
