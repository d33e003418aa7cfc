/** Writes PMTiles files (version 3). */
import { gzipSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { Compression, TileType, zxyToTileId } from 'pmtiles';

export type WrittenTile = { readonly z: number; readonly x: number; readonly y: number; readonly bytes: Uint8Array };

export type PmtilesOptions = {
  readonly tiles: readonly WrittenTile[];
  readonly tileType?: TileType;
  /** West, south, east, north, degrees. */
  readonly bounds?: readonly [number, number, number, number];
  readonly layers?: readonly string[];
  readonly version?: number;
  /** Entries in each leaf directory; all are in the root directory if left out. */
  readonly leafSize?: number;
};

type Entry = { readonly id: number; readonly offset: number; readonly length: number; readonly runLength: number };

const HEADER_BYTES = 127;

/** The bytes of a file with these tiles, compressed with gzip as usual. */
export function writePmtiles(options: PmtilesOptions): Buffer {
  const { tiles, tileType = TileType.Mvt, bounds = [20, 43, 30, 49], layers = ['roads'], version = 3 } = options;
  const stored = tiles
    .map(({ z, x, y, bytes }) => ({ id: zxyToTileId(z, x, y), bytes: gzipSync(bytes) }))
    .toSorted((a, b) => a.id - b.id);
  let offset = 0;
  const entries = stored.map(({ id, bytes }): Entry => {
    const entry = { id, offset, length: bytes.length, runLength: 1 };
    offset += bytes.length;
    return entry;
  });
  const { root, leaves } = directories(entries, options.leafSize);
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers.map((id) => ({ id, fields: {} })) }));
  const sections = [root, metadata, leaves, Buffer.concat(stored.map(({ bytes }) => bytes))];
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header.writeUInt8(version, 7);
  let start = HEADER_BYTES;
  for (const [index, section] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(start), 8 + 16 * index);
    header.writeBigUInt64LE(BigInt(section.length), 16 + 16 * index);
    start += section.length;
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(tiles.length), at);
  header.writeUInt8(1, 96);
  header.writeUInt8(Compression.Gzip, 97);
  header.writeUInt8(Compression.Gzip, 98);
  header.writeUInt8(tileType, 99);
  header.writeUInt8(Math.min(...tiles.map(({ z }) => z)), 100);
  header.writeUInt8(Math.max(...tiles.map(({ z }) => z)), 101);
  for (const [index, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index);
  return Buffer.concat([header, ...sections]);
}

function directories(entries: readonly Entry[], leafSize: number | undefined): { root: Buffer; leaves: Buffer } {
  if (leafSize === undefined) return { root: directory(entries), leaves: Buffer.alloc(0) };
  const leaves: Buffer[] = [];
  const pointers: Entry[] = [];
  let offset = 0;
  for (let from = 0; from < entries.length; from += leafSize) {
    const leaf = directory(entries.slice(from, from + leafSize));
    pointers.push({ id: (entries[from] as Entry).id, offset, length: leaf.length, runLength: 0 });
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: directory(pointers), leaves: Buffer.concat(leaves) };
}

function directory(entries: readonly Entry[]): Buffer {
  const pbf = new PbfWriter();
  pbf.writeVarint(entries.length);
  let last = 0;
  for (const { id } of entries) {
    pbf.writeVarint(id - last);
    last = id;
  }
  for (const { runLength } of entries) pbf.writeVarint(runLength);
  for (const { length } of entries) pbf.writeVarint(length);
  for (const { offset } of entries) pbf.writeVarint(offset + 1);
  return gzipSync(pbf.finish());
}
