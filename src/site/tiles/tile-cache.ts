/** The tiles by their path; those drawn last are cached. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';
import { runInSlices } from '../../concurrency/in-slices.ts';
import type { Streets } from '../../vector-tiles/street-tiles.ts';
import type { Html } from '../html/html-template.ts';
import { TILE_STYLE_SOURCE } from '../map/map-style.ts';
import { MAX_ZOOM } from '../map/projection.ts';
import { FIRST_STREET_ZOOM, lastZoomOf } from '../map/street-zooms.ts';
import { drawTile, type TileAddress, tileView } from '../map/tile.ts';
import { drawStreetTile } from './draw-street-tile.ts';
import { fileTileOf } from './draw-streets.ts';

/** A tile as it is sent; the same object for as long as it is cached. */
export type RenderedTile = {
  readonly status: 200;
  readonly contentType: string;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

/** Waits until the caller may have a tile drawn; what it resolves with ends the turn. `null` = refused. */
export type TakeTurn = () => Promise<(() => void) | null>;

const NO_WAIT: TakeTurn = async () => () => undefined;
/** About 10 kB each. */
const MAX_CACHED_TILES = 500;
/** Up to 300 kB each in dense towns, rarely more. */
const MAX_CACHED_STREET_TILES = 150;
const TILE_PATH = /^\/harta\/(\d{1,2})\/(\d{1,6})\/(\d{1,6})\.svg$/;
const HEADERS = {
  'Cache-Control': 'public, max-age=86400',
  'Content-Security-Policy': `default-src 'none'; style-src ${TILE_STYLE_SOURCE}`,
};

/** The tiles of one site. */
export class TileCache {
  readonly #cached: BoundedMap<RenderedTile>;
  readonly #streets: Streets | null;
  #version = 0;

  /** `null` = the map has no streets. */
  constructor(streets: Streets | null = null) {
    this.#streets = streets;
    this.#cached = new BoundedMap(streets === null ? MAX_CACHED_TILES : MAX_CACHED_STREET_TILES);
  }

  /**
   * The tile at `/harta/{z}/{x}/{y}.svg`; `undefined` for every other path, and where there is none. It is drawn in the
   * turn of its reader; without one, one with streets is drawn in slices, and any other at once.
   */
  at(path: string, takeTurn?: TakeTurn): RenderedTile | Promise<RenderedTile | null> | undefined {
    const known = this.#cachedAt(path);
    if (known) return known;
    const address = parseTileAddress(path);
    if (address === null) return undefined;
    const streets = this.#streets;
    const fileZoom = streets?.maxZoom ?? null;
    const lastZoom = fileZoom === null ? MAX_ZOOM : lastZoomOf(fileZoom);
    const view = tileView(address, lastZoom);
    if (view === undefined) return undefined;
    const hasStreets = streets !== null && fileZoom !== null && view.zoom >= FIRST_STREET_ZOOM;
    if (!hasStreets && takeTurn === undefined) return this.#cache(path, drawTile(address) as Html);
    return this.#drawInTurn(path, takeTurn ?? NO_WAIT, async () => {
      if (!hasStreets) return drawTile(address) as Html;
      const { address: wanted, part } = fileTileOf(address, fileZoom);
      const tile = await streets.read(wanted);
      if (tile === null) return drawTile(address, lastZoom) as Html;
      return runInSlices(drawStreetTile(tile, part, view));
    });
  }

  async #drawInTurn(path: string, takeTurn: TakeTurn, draw: () => Promise<Html>): Promise<RenderedTile | null> {
    const endTurn = await takeTurn();
    if (endTurn === null) return null;
    try {
      // Drawn for somebody else in the meantime.
      const known = this.#cachedAt(path);
      if (known) return known;
      const version = this.#streets?.version;
      const drawn = await draw();
      return version === this.#streets?.version ? this.#cache(path, drawn) : rendered(drawn);
    } finally {
      endTurn();
    }
  }

  /** Another file has other streets. */
  #cachedAt(path: string): RenderedTile | undefined {
    const version = this.#streets?.version ?? 0;
    if (version !== this.#version) this.#cached.clear();
    this.#version = version;
    return this.#cached.get(path);
  }

  #cache(path: string, svg: Html): RenderedTile {
    const tile = rendered(svg);
    this.#cached.set(path, tile);
    return tile;
  }
}

function rendered(svg: Html): RenderedTile {
  return { status: 200, contentType: 'image/svg+xml', body: Buffer.from(svg.text), headers: HEADERS };
}

/** One tile, one address: no leading zeros. */
function parseTileAddress(path: string): TileAddress | null {
  const numbers = TILE_PATH.exec(path)?.slice(1) ?? [];
  const [z, x, y] = numbers.map(Number);
  if (z === undefined || x === undefined || y === undefined) return null;
  return numbers.some((digits) => digits !== String(Number(digits))) ? null : { z, x, y };
}
