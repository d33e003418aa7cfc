import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import { APP_ICONS, iconAt, TOUCH_ICON } from './icons.ts';
import { encodePng } from './png.ts';

/** Reads a PNG without filters as our writer makes them; fails at a wrong checksum. */
function readPng(file: Buffer): { size: number; pixel: (x: number, y: number) => number[] } {
  assert.equal(file.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const named = file.subarray(at + 4, at + 8 + length);
    assert.equal(file.readUInt32BE(at + 8 + length), crc32(named));
    chunks.set(named.subarray(0, 4).toString('latin1'), named.subarray(4));
    at += length + 12;
  }
  assert.deepEqual([...chunks.keys()], ['IHDR', 'IDAT', 'IEND']);
  const size = (chunks.get('IHDR') as Buffer).readUInt32BE(0);
  const rows = inflateSync(chunks.get('IDAT') as Buffer);
  assert.equal(rows.length, size * (size * 4 + 1));
  return {
    size,
    pixel: (x, y) => {
      const at = y * (size * 4 + 1) + 1 + x * 4;
      return [...rows.subarray(at, at + 4)];
    },
  };
}

const iconOf = (path: string) => iconAt(path)?.bytes ?? assert.fail(`no icon at ${path}`);
const GREEN = [0x0b, 0x5d, 0x4b, 255];
const WHITE = [255, 255, 255, 255];

describe('the icons', () => {
  it('are valid PNG files of the size that the manifest states', () => {
    for (const { path, size } of [...APP_ICONS, TOUCH_ICON]) assert.equal(readPng(iconOf(path)).size, size, path);
  });

  it('show a white drop on green, the round ones with transparent corners', () => {
    const { pixel, size } = readPng(iconOf('/icon-192.png'));
    assert.deepEqual(pixel(0, 0), [0, 0, 0, 0]);
    assert.deepEqual(pixel(size / 2, 4), GREEN);
    assert.deepEqual(pixel(size / 2, Math.round(size * 0.55)), WHITE);
    assert.deepEqual(pixel(Math.round(size * 0.41), Math.round(size * 0.65)), GREEN, 'the highlight');
  });

  it('fill the square where a device cuts its own shape', () => {
    for (const path of ['/icon-maskable-512.png', '/apple-touch-icon.png'])
      assert.deepEqual(readPng(iconOf(path)).pixel(0, 0), GREEN, path);
    const { pixel, size } = readPng(iconOf('/icon-maskable-512.png'));
    for (let y = 0; y < size; y += 1)
      for (let x = 0; x < size; x += 1) {
        const isOutside = Math.hypot(x - size / 2, y - size / 2) > size * 0.4;
        if (isOutside) assert.equal(pixel(x, y)[0], GREEN[0], `${x},${y}`);
      }
  });

  it('have soft edges', () => {
    const { pixel, size } = readPng(iconOf('/icon-192.png'));
    const shades = new Set(Array.from({ length: size * size }, (_, at) => pixel(at % size, Math.floor(at / size))[0]));
    assert.ok(shades.size > 20, `${shades.size} shades`);
  });

  it('are the same bytes each time they are drawn', () => {
    const hashes = [1, 2].map(() =>
      createHash('sha256')
        .update(encodePng(gradient(16)))
        .digest('hex'),
    );
    assert.equal(hashes[0], hashes[1]);
    assert.equal(iconAt('/icon-192.png'), iconAt('/icon-192.png'));
  });

  it('exist in one ICO file with three sizes, each a valid PNG', () => {
    const file = iconOf('/favicon.ico');
    assert.deepEqual([...file.subarray(0, 6)], [0, 0, 1, 0, 3, 0]);
    for (const [index, size] of [16, 32, 48].entries()) {
      const entry = file.subarray(6 + index * 16, 22 + index * 16);
      assert.deepEqual([entry[0], entry[1]], [size, size]);
      const [length, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
      assert.equal(readPng(file.subarray(offset, offset + length)).size, size);
    }
  });

  it('do not exist under other names', () => {
    for (const path of ['/icon-64.png', '/constructor', '/__proto__', '/favicon.png'])
      assert.equal(iconAt(path), undefined);
  });
});

function gradient(size: number) {
  return { size, rgba: Uint8Array.from({ length: size * size * 4 }, (_, index) => index % 256) };
}
