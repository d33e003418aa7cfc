import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { TileType } from 'pmtiles';
import { tileOf, townTile, townTiles } from '../../test/support/vector-tiles/invented-town.ts';
import { type PmtilesOptions, writePmtiles } from '../../test/support/vector-tiles/write-pmtiles.ts';
import { PmtilesFile, UnusableFile } from './pmtiles-file.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-pmtiles-'));
});
after(() => rmSync(folder, { recursive: true }));

const TILES = townTiles([12, 13, 14]);

function fileWith(bytes: Uint8Array, name = 'ro.pmtiles'): string {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  return file;
}

async function refusal(file: string): Promise<string> {
  try {
    const opened = await PmtilesFile.open(file);
    await opened.close();
  } catch (error) {
    assert.ok(error instanceof UnusableFile, String(error));
    return error.message;
  }
  return 'accepted';
}

describe('a PMTiles file', () => {
  for (const leafSize of [undefined, 4]) {
    it(`gives each of its tiles, ${leafSize === undefined ? 'named in the root directory' : 'named in leaf directories'}`, async () => {
      const file = await PmtilesFile.open(fileWith(writePmtiles({ tiles: TILES, ...(leafSize && { leafSize }) })));
      assert.equal(file.maxZoom, 14);
      for (const { z, x, y, bytes } of TILES) assert.deepEqual(await file.read(z, x, y), new Uint8Array(bytes));
      const [x, y] = tileOf(14);
      assert.equal(await file.read(14, x + 5, y), null);
      assert.equal(await file.read(15, 2 * x, 2 * y), null);
      await file.close();
    });
  }

  it('is current until another is at its place, and intact until somebody writes to it', async () => {
    const place = fileWith(writePmtiles({ tiles: TILES }));
    const file = await PmtilesFile.open(place);
    assert.deepEqual([await file.isCurrent(), await file.isIntact()], [true, true]);
    renameSync(fileWith(writePmtiles({ tiles: TILES.slice(1) }), 'next.pmtiles'), place);
    assert.equal(await file.isCurrent(), false);
    assert.deepEqual(await file.read(12, ...tileOf(12)), new Uint8Array(townTile(12, ...tileOf(12)).bytes));
    await file.close();
  });
});

describe('a file that cannot be used', () => {
  const written = (options: Partial<PmtilesOptions>) => fileWith(writePmtiles({ tiles: TILES, ...options }));

  it('is refused with the reason', async () => {
    const whole = writePmtiles({ tiles: TILES });
    assert.equal(await refusal(path.join(folder, 'absent.pmtiles')), 'does not exist');
    assert.equal(await refusal(folder), 'is not a file');
    assert.equal(await refusal(fileWith(Buffer.from('not tiles'))), 'is not a PMTiles file');
    assert.equal(await refusal(fileWith(Buffer.alloc(0))), 'is not a PMTiles file');
    assert.equal(await refusal(written({ version: 2 })), 'is PMTiles version 2; only version 3 is read');
    assert.equal(await refusal(fileWith(whole.subarray(0, 60))), 'is cut short: not even its header is complete');
    const cut = await refusal(fileWith(whole.subarray(0, whole.length - 10)));
    assert.equal(cut, `is cut short: it has ${whole.length - 10} of ${whole.length} bytes`);
    assert.equal(await refusal(written({ tileType: TileType.Png })), 'has png tiles; vector tiles (mvt) are needed');
    assert.match(
      await refusal(written({ bounds: [5.9, 47.3, 15, 55] })),
      /^covers 5\.9, 47\.3 to 15, 55; Romania is not/,
    );
    assert.match(await refusal(written({ tiles: townTiles([10]) })), /^ends at zoom 10; streets need zoom 12/);
    assert.match(await refusal(written({ layers: ['admin'] })), /^has no layer "roads"/);
    assert.equal(await refusal(written({ layers: ['transportation'] })), 'accepted');
  });

  it('may be a pipe, on which opening would wait for ever', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    assert.equal(await refusal(pipe), 'is not a file');
  });

  it('is refused or read, whatever bytes are changed', async () => {
    const whole = writePmtiles({ tiles: TILES, leafSize: 4 });
    const [x, y] = tileOf(14);
    const change = fc.tuple(fc.oneof(fc.nat({ max: 126 }), fc.nat({ max: whole.length - 1 })), fc.nat({ max: 255 }));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        const file = await PmtilesFile.open(fileWith(bytes, 'changed.pmtiles')).catch((error) => {
          assert.ok(error instanceof UnusableFile, String(error));
          return null;
        });
        await file?.read(14, x, y).catch((error) => assert.ok(error instanceof Error));
        await file?.close();
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
  });
});
