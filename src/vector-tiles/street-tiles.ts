/** The streets of `MAP_PMTILES` while the service runs: the file may be missing, damaged or replaced at any time. */
import { BoundedMap } from '../concurrency/bounded-map.ts';
import { runInSlices } from '../concurrency/in-slices.ts';
import { WarnOnce } from '../concurrency/warn-once.ts';
import { PmtilesFile, UnusableFile } from './pmtiles-file.ts';
import { type StreetTile, streetTile } from './street-tile.ts';

/** Where the tiles of a file are: column and row at a zoom; at `z` the world is 2^z tiles wide. */
export type FileTileAddress = { readonly z: number; readonly x: number; readonly y: number };

/** What is reported about the file. */
export type StreetsLog = { readonly info: (text: string) => void; readonly warn: (text: string) => void };

/** The streets as a map needs them. */
export type Streets = {
  /** Grows whenever another file is read; 0 = there is none yet. */
  readonly version: number;
  /** The largest zoom of the file's tiles; `null` = there is no usable file. */
  readonly maxZoom: number | null;
  /** The tile; `null` = the file has none there, or a damaged one. */
  readonly read: (address: FileTileAddress) => Promise<StreetTile | null>;
};

/** Decoded tiles: up to 1 MB each, of dense towns; a tile of the map at a larger zoom needs them again. */
const MAX_CACHED_TILES = 32;

export class StreetTiles implements Streets {
  readonly #path: string;
  readonly #log: StreetsLog;
  readonly #damage: WarnOnce;
  readonly #cached = new BoundedMap<StreetTile>(MAX_CACHED_TILES);
  #file: PmtilesFile | null = null;
  #version = 0;
  /** What was reported of the file at the path last. */
  #reported = '';
  #refreshing: Promise<void> | null = null;

  /** The streets of the file at the path; none before the first `refresh`. */
  constructor(path: string, log: StreetsLog) {
    this.#path = path;
    this.#log = log;
    this.#damage = new WarnOnce({ warn: (why) => log.warn(`MAP_PMTILES ${path} has a damaged tile: ${why}`) });
  }

  get version(): number {
    return this.#version;
  }

  get maxZoom(): number | null {
    return this.#file?.maxZoom ?? null;
  }

  /**
   * Takes the file that is at the path now, if it is another one. One that cannot be used is reported once; the file
   * before, if it was replaced and not overwritten, stays in use. Never rejects.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#takeFile().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async read(address: FileTileAddress): Promise<StreetTile | null> {
    const file = this.#file;
    const { z, x, y } = address;
    if (file === null || z > file.maxZoom) return null;
    const key = `${this.#version} ${z}/${x}/${y}`;
    const known = this.#cached.get(key);
    if (known !== undefined) return known;
    try {
      const bytes = await file.read(z, x, y);
      if (bytes === null) return null;
      const tile = await runInSlices(streetTile(bytes));
      this.#cached.set(key, tile);
      this.#damage.succeeded();
      return tile;
    } catch (error) {
      if (file === this.#file) this.#damage.failed(`${z}/${x}/${y}: ${(error as Error).message}`);
      return null;
    }
  }

  async close(): Promise<void> {
    await this.#refreshing;
    await this.#dropFile();
  }

  async #dropFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    this.#version += 1;
    this.#cached.clear();
    await file?.close();
  }

  async #takeFile(): Promise<void> {
    if (await this.#file?.isCurrent()) return;
    try {
      const file = await PmtilesFile.open(this.#path);
      const before = this.#file;
      this.#file = file;
      this.#version += 1;
      this.#cached.clear();
      this.#reported = '';
      this.#log.info(`MAP_PMTILES ${this.#path} is in use, up to zoom ${file.maxZoom}`);
      await before?.close();
    } catch (error) {
      if (this.#file !== null && !(await this.#file.isIntact())) await this.#dropFile();
      const why = error instanceof UnusableFile ? error.message : `cannot be read: ${(error as Error).message}`;
      if (why === this.#reported) return;
      this.#reported = why;
      const instead = this.#file === null ? 'the map has no streets' : 'the map keeps the streets of the file before';
      this.#log.warn(`MAP_PMTILES ${this.#path} ${why}; ${instead}`);
    }
  }
}
