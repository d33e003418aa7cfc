/**
 * Writes PNG and ICO files. Sources: W3C PNG (third edition), sections 5 and 11; the ICO layout as browsers read it.
 */
import { crc32, deflateSync } from 'node:zlib';

/** A square picture: four bytes a pixel (red, green, blue, alpha), row by row from the top. */
export type Pixels = { readonly size: number; readonly rgba: Uint8Array };

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_PER_SAMPLE = 8;
const COLOUR_WITH_ALPHA = 6;
const BYTES_PER_PIXEL = 4;

/** The picture as a PNG file; the same pixels give the same bytes. */
export function encodePng({ size, rgba }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([BITS_PER_SAMPLE, COLOUR_WITH_ALPHA], 8);
  const rowLength = size * BYTES_PER_PIXEL;
  // Each row begins with the number of its filter: 0, none.
  const rows = Buffer.alloc(size * (rowLength + 1));
  for (let row = 0; row < size; row += 1)
    rows.set(rgba.subarray(row * rowLength, (row + 1) * rowLength), row * (rowLength + 1) + 1);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Pictures of at most 256 pixels as one ICO file, which holds each as PNG. */
export function encodeIco(pictures: readonly Pixels[]): Buffer {
  const files = pictures.map((each) => ({ size: each.size, bytes: encodePng(each) }));
  const header = Buffer.from([0, 0, 1, 0, files.length, 0]);
  let offset = header.length + files.length * ICO_ENTRY_LENGTH;
  const entries = files.map(({ size, bytes }) => {
    const entry = Buffer.alloc(ICO_ENTRY_LENGTH);
    // A byte holds 256 as 0.
    entry.set([size % 256, size % 256, 0, 0, 1, 0, BITS_PER_SAMPLE * BYTES_PER_PIXEL, 0]);
    entry.writeUInt32LE(bytes.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += bytes.length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...files.map(({ bytes }) => bytes)]);
}

const ICO_ENTRY_LENGTH = 16;

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
