import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { tileOf, townTile, townTiles } from '../../test/support/vector-tiles/invented-town.ts';
import { type WrittenTile, writePmtiles } from '../../test/support/vector-tiles/write-pmtiles.ts';
import { StreetTiles } from './street-tiles.ts';

let folder: string;
let place: string;
let log: string[];
let streets: StreetTiles;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-streets-'));
  place = path.join(folder, 'ro.pmtiles');
  log = [];
  streets = new StreetTiles(place, { info: (text) => log.push(text), warn: (text) => log.push(`! ${text}`) });
});
afterEach(async () => {
  await streets.close();
  rmSync(folder, { recursive: true });
});

const [X, Y] = tileOf(13);
const MIDDLE = { z: 13, x: X, y: Y };
const write = (tiles: readonly WrittenTile[]) => writeFileSync(place, writePmtiles({ tiles }));
/** As operators should: under another name first. */
const replace = (content: Uint8Array) => {
  writeFileSync(`${place}.new`, content);
  renameSync(`${place}.new`, place);
};

describe('the streets of a file', () => {
  it('are there after the first look, and say how far they go', async () => {
    write(townTiles([12, 13]));
    assert.deepEqual([streets.maxZoom, await streets.read(MIDDLE)], [null, null]);
    await streets.refresh();
    assert.equal(streets.maxZoom, 13);
    const tile = await streets.read(MIDDLE);
    assert.ok(tile && tile.lines.street.length > 5 && tile.areas.water.length === 1);
    assert.equal(await streets.read(MIDDLE), tile, 'decoded once');
    assert.equal(await streets.read({ ...MIDDLE, x: X + 9 }), null);
    assert.deepEqual(log, [`MAP_PMTILES ${place} is in use, up to zoom 13`]);
  });

  it('appear once the file is there; until then its absence is reported once', async () => {
    for (let look = 0; look < 3; look += 1) await streets.refresh();
    assert.deepEqual(log, [`! MAP_PMTILES ${place} does not exist; the map has no streets`]);
    write(townTiles([13]));
    await streets.refresh();
    assert.ok(await streets.read(MIDDLE));
  });

  it('change with the file', async () => {
    write(townTiles([13]));
    await streets.refresh();
    const [before, version] = [await streets.read(MIDDLE), streets.version];
    replace(writePmtiles({ tiles: [townTile(13, X, Y, 'openmaptiles'), ...townTiles([14])] }));
    await streets.refresh();
    assert.deepEqual([streets.version > version, streets.maxZoom], [true, 14]);
    assert.notEqual(await streets.read(MIDDLE), before);
  });

  it('stay when the file is replaced by one that cannot be used, or removed', async () => {
    write(townTiles([13]));
    await streets.refresh();
    const { version } = streets;
    replace(Buffer.from('half a download'));
    await streets.refresh();
    rmSync(place);
    await streets.refresh();
    assert.deepEqual(log.slice(1), [
      `! MAP_PMTILES ${place} is not a PMTiles file; the map keeps the streets of the file before`,
      `! MAP_PMTILES ${place} does not exist; the map keeps the streets of the file before`,
    ]);
    assert.ok(streets.version === version && (await streets.read(MIDDLE)));
  });

  it('go when somebody writes over the file itself', async () => {
    write(townTiles([13]));
    await streets.refresh();
    await streets.read(MIDDLE);
    writeFileSync(place, 'something else');
    await streets.refresh();
    assert.deepEqual([streets.maxZoom, await streets.read(MIDDLE)], [null, null]);
    assert.deepEqual(log.slice(1), [`! MAP_PMTILES ${place} is not a PMTiles file; the map has no streets`]);
  });

  it('have a gap where a tile is damaged, which is reported once', async () => {
    const damaged = { ...MIDDLE, bytes: Buffer.from('a tile that is none') };
    write([damaged, { ...damaged, x: X + 1 }, townTile(13, X, Y + 1)]);
    await streets.refresh();
    assert.deepEqual([await streets.read(MIDDLE), await streets.read({ ...MIDDLE, x: X + 1 })], [null, null]);
    assert.ok(await streets.read({ ...MIDDLE, y: Y + 1 }));
    assert.equal(log.filter((line) => line.startsWith(`! MAP_PMTILES ${place} has a damaged tile: 13/`)).length, 1);
  });
});
