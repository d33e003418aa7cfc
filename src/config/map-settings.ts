/** Parses the settings of the map. Each parser throws one clause that describes a valid value. */
import type { MapTiles } from '../domain/map-tiles.ts';
import { BadValue, isLoopback } from './parse.ts';

type MapTileSettings = { readonly MAP_TILES_URL: string | null; readonly MAP_ATTRIBUTION: string | null };

const TILES_EXAMPLE = 'https://tiles.example.org/{z}/{x}/{y}.png';
const PLACEHOLDERS = ['{z}', '{x}', '{y}'];

/** The address of map tiles, each placeholder exactly once, and no others. */
export function tileTemplate(text: string): string {
  const url = URL.parse(text);
  const isAllowed = url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)));
  // It stands in the page's policy, where other characters mean something.
  if (
    !isAllowed ||
    !/^[a-z0-9.:[\]-]+$/.test(url.host) ||
    url.username + url.password + url.hash !== '' ||
    !/^[!-~]{1,500}$/.test(text)
  ) {
    throw new BadValue(
      `must be an https address without a user or password, such as ${TILES_EXAMPLE} (http only on this machine)`,
    );
  }
  const [, beforePath = ''] = /^(https?:\/\/[^/?]*)/i.exec(text) ?? [];
  const found = text.match(/\{[^}]*\}?|\}/g) ?? [];
  if (beforePath.includes('{') || found.toSorted().join() !== PLACEHOLDERS.toSorted().join()) {
    throw new BadValue(
      `must have {z}, {x} and {y} once each after the host, and no other placeholder, such as ${TILES_EXAMPLE}`,
    );
  }
  return text;
}

const LINK = /\[[^[\]]+\]\(([^()]+)\)/g;

/**
 * What must stand on a map: one line of plain text, in which `[words](https://address)` is a link; no other brackets.
 */
export function mapAttribution(text: string): string {
  const targets = [...text.matchAll(LINK)].map(([, target = '']) => URL.parse(target));
  const areWebAddresses = targets.every(
    (url) => url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === '',
  );
  const hasOtherBrackets = /[[\]]/.test(text.replaceAll(LINK, ''));
  if (areWebAddresses && !hasOtherBrackets && /^[^<>`\p{Cc}]{1,300}$/u.test(text)) return text;
  throw new BadValue(
    'must be at most 300 characters of text without HTML; a link is written [words](https://address), such as © [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)',
  );
}

/**
 * The two settings together; `null` = the map has our own tiles. Throws a `BadValue` that names the missing variable.
 */
export function parseMapTiles({ MAP_TILES_URL: url, MAP_ATTRIBUTION: attribution }: MapTileSettings): MapTiles | null {
  if (url === null && attribution === null) return null;
  if (url === null) throw new BadValue('MAP_TILES_URL must be set as well: MAP_ATTRIBUTION says whose tiles these are');
  if (attribution === null) {
    throw new BadValue(
      'MAP_ATTRIBUTION must be set as well: who made the tiles of MAP_TILES_URL, such as © [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)',
    );
  }
  return Object.freeze({ url, origin: new URL(url).origin, attribution });
}
