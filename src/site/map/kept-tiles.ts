/** The tiles by their path; those drawn last are kept. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { TILE_STYLE_SOURCE } from './map-style.ts';
import { drawTile } from './tile.ts';

/** A tile as it is sent; the same object for as long as it is kept. */
export type RenderedTile = {
  readonly status: 200;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** About 10 kB each. */
const KEPT_TILES = 500;
const TILE_PATH = /^\/harta\/(\d{1,2})\/(\d{1,5})\/(\d{1,5})\.svg$/;
const HEADERS = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': `default-src 'none'; style-src ${TILE_STYLE_SOURCE}`,
};

/** The tiles of one site. */
export class KeptTiles {
  readonly #kept = new BoundedMap<RenderedTile>(KEPT_TILES);

  /** The tile at `/harta/{z}/{x}/{y}.svg`; `undefined` for every other path, and where there is none. */
  at(path: string): RenderedTile | undefined {
    const known = this.#kept.get(path);
    if (known) return known;
    const numbers = TILE_PATH.exec(path)?.slice(1) ?? [];
    const [z, x, y] = numbers.map(Number);
    if (z === undefined || x === undefined || y === undefined) return undefined;
    // One tile, one address: no leading zeros.
    if (numbers.some((digits) => digits !== String(Number(digits)))) return undefined;
    const svg = drawTile({ z, x, y });
    if (svg === undefined) return undefined;
    const tile = { status: 200, contentType: 'image/svg+xml', body: Buffer.from(svg.text), headers: HEADERS } as const;
    this.#kept.set(path, tile);
    return tile;
  }
}
