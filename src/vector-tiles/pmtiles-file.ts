/**
 * Reads the vector tiles of a PMTiles file (version 3). Whatever the file claims, what is read and unpacked is bounded.
 */
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { Compression, type Header, PMTiles, ResolvedValueCache, type Source, TileType, tileTypeExt } from 'pmtiles';

/** The file cannot be used; the message is a clause about the file for its operator. */
export class UnusableFile extends Error {}

/** A directory, or a tile, as stored; unpacked it may have four times as much. */
const MAX_STORED_BYTES = 1_000_000;
const MAX_UNPACKED_BYTES = 4 * MAX_STORED_BYTES;
/** About 4,000 tiles each: 300 kB in memory. */
const MAX_CACHED_DIRECTORIES = 40;
const MAGIC = 'PMTiles';
const HEADER_BYTES = 127;
/** Maps have streets from this zoom on; a file that ends before it has none. */
const LEAST_MAX_ZOOM = 12;
/** Romania, degrees. */
const COUNTRY = { west: 20.2, south: 43.6, east: 29.8, north: 48.3 };
/** A layer with streets, in the schemas of Protomaps and of OpenMapTiles. */
const STREET_LAYERS = ['roads', 'transportation'];

export class PmtilesFile {
  readonly path: string;
  readonly maxZoom: number;
  readonly #handle: FileHandle;
  readonly #archive: PMTiles;
  readonly #state: string;

  private constructor(path: string, handle: FileHandle, archive: PMTiles, header: Header, state: string) {
    this.path = path;
    this.maxZoom = header.maxZoom;
    this.#handle = handle;
    this.#archive = archive;
    this.#state = state;
  }

  /** Opens the file and checks that it has streets of Romania. Throws `UnusableFile`. */
  static async open(path: string): Promise<PmtilesFile> {
    // Opening anything but a file, such as a pipe, could wait for ever.
    if (!(await statOf(path)).isFile()) throw new UnusableFile('is not a file');
    const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
      throw new UnusableFile(`cannot be opened: ${error.code}`);
    });
    try {
      const stats = await handle.stat();
      const archive = await openArchive(handle, stats.size);
      const header = await archive.getHeader();
      await checkContent(archive, header, stats.size);
      return new PmtilesFile(path, handle, archive, header, stateOf(stats));
    } catch (error) {
      await handle.close();
      if (error instanceof UnusableFile) throw error;
      throw new UnusableFile(`is damaged: ${(error as Error).message}`);
    }
  }

  /** Whether the file at the path is still the one that was opened, with the same contents. */
  async isCurrent(): Promise<boolean> {
    const stats = await stat(this.path).catch(() => null);
    return stats !== null && stateOf(stats) === this.#state;
  }

  /** Whether nobody wrote to the file since it was opened, wherever it is now. */
  async isIntact(): Promise<boolean> {
    return stateOf(await this.#handle.stat()) === this.#state;
  }

  /** A tile, unpacked; `null` = the file has none there. Rejects if the file is damaged. */
  async read(z: number, x: number, y: number): Promise<Uint8Array | null> {
    const found = await this.#archive.getZxy(z, x, y);
    return found === undefined ? null : new Uint8Array(found.data);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

async function statOf(path: string): Promise<Stats> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UnusableFile(error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.code}`);
  });
}

function stateOf({ dev, ino, size, mtimeMs }: Stats): string {
  return [dev, ino, size, mtimeMs].join(' ');
}

async function openArchive(handle: FileHandle, size: number): Promise<PMTiles> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
  if (buffer.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new UnusableFile('is not a PMTiles file');
  const version = buffer[MAGIC.length] ?? 0;
  if (version !== 3) throw new UnusableFile(`is PMTiles version ${version}; only version 3 is read`);
  if (bytesRead < HEADER_BYTES) throw new UnusableFile('is cut short: not even its header is complete');
  const source: Source = { getKey: () => '', getBytes: (offset, length) => readBytes(handle, size, offset, length) };
  return new PMTiles(source, new ResolvedValueCache(MAX_CACHED_DIRECTORIES, false, decompress), decompress);
}

async function readBytes(handle: FileHandle, size: number, offset: number, length: number) {
  // The first read of the library is always of the same length, even where the file is shorter.
  const available = offset === 0 ? Math.min(length, size) : length;
  if (!(offset >= 0 && available >= 0 && available <= MAX_STORED_BYTES && offset + available <= size))
    throw new Error(`it names ${length} bytes at ${offset} of ${size}`);
  const data = new ArrayBuffer(available);
  const { bytesRead } = await handle.read(new Uint8Array(data), 0, available, offset);
  if (bytesRead < available) throw new Error('it has become shorter');
  return { data };
}

const LIMIT = { maxOutputLength: MAX_UNPACKED_BYTES };
const UNPACKERS = {
  [Compression.Gzip]: promisify<ArrayBuffer, typeof LIMIT, Buffer<ArrayBuffer>>(gunzip),
  [Compression.Brotli]: promisify<ArrayBuffer, typeof LIMIT, Buffer<ArrayBuffer>>(brotliDecompress),
  [Compression.Zstd]: promisify<ArrayBuffer, typeof LIMIT, Buffer<ArrayBuffer>>(zstdDecompress),
};

async function decompress(packed: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  if (compression === Compression.None) return packed;
  if (compression === Compression.Unknown) throw new Error('it does not say how it is compressed');
  const unpacked = await UNPACKERS[compression](packed, LIMIT);
  return unpacked.buffer.slice(unpacked.byteOffset, unpacked.byteOffset + unpacked.byteLength);
}

async function checkContent(archive: PMTiles, header: Header, size: number): Promise<void> {
  const { tileType, tileCompression, maxZoom, minLon: west, minLat: south, maxLon: east, maxLat: north } = header;
  if (tileType !== TileType.Mvt) {
    const extension = tileTypeExt(tileType);
    throw new UnusableFile(
      `has ${extension === '' ? 'tiles of an unknown type' : `${extension.slice(1)} tiles`}; vector tiles (mvt) are needed`,
    );
  }
  if (tileCompression === Compression.Unknown) throw new UnusableFile('does not say how its tiles are compressed');
  const end = endOf(header);
  if (end > size) throw new UnusableFile(`is cut short: it has ${size} of ${end} bytes`);
  if (maxZoom < LEAST_MAX_ZOOM)
    throw new UnusableFile(`ends at zoom ${maxZoom}; streets need zoom ${LEAST_MAX_ZOOM} at least`);
  if (west > COUNTRY.east || east < COUNTRY.west || south > COUNTRY.north || north < COUNTRY.south)
    throw new UnusableFile(`covers ${west}, ${south} to ${east}, ${north}; Romania is not in it`);
  const layers = layerNames(await archive.getMetadata());
  if (!layers.some((layer) => STREET_LAYERS.includes(layer)))
    throw new UnusableFile('has no layer "roads" (Protomaps) or "transportation" (OpenMapTiles)');
}

function endOf(header: Header): number {
  return Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    header.leafDirectoryOffset + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  );
}

function layerNames(metadata: unknown): string[] {
  const { vector_layers: layers } = Object(metadata) as { vector_layers?: unknown };
  return Array.isArray(layers) ? layers.map((layer) => String((Object(layer) as { id?: unknown }).id)) : [];
}
