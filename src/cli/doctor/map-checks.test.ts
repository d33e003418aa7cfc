import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { townTiles } from '../../../test/support/vector-tiles/invented-town.ts';
import { writePmtiles } from '../../../test/support/vector-tiles/write-pmtiles.ts';
import { readConfig } from '../../config/config.ts';
import { mapFindings } from './map-checks.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-map-checks-'));
});
after(() => rmSync(folder, { recursive: true }));

const reported = (environment: Record<string, string>) => mapFindings(readConfig(environment, folder));

test('where the map tiles come from is reported, without a key in their address', async () => {
  assert.equal((await reported({}))[0]?.detail, 'our own');
  const environment = { MAP_TILES_URL: 'https://tiles.example.org/{z}/{x}/{y}.png?key=geheim', MAP_ATTRIBUTION: '© X' };
  const [finding] = await reported(environment);
  assert.equal(finding?.detail, 'visitors load them from https://tiles.example.org, and its terms apply');
});

test('a file of streets that cannot be used is reported with the reason', async () => {
  assert.deepEqual((await reported({})).at(1)?.ok, true);
  writeFileSync(path.join(folder, 'ro.pmtiles'), writePmtiles({ tiles: townTiles([13]) }));
  const [, usable] = await reported({ MAP_PMTILES: 'ro.pmtiles' });
  assert.deepEqual([usable?.ok, usable?.detail], [true, `from ${path.join(folder, 'ro.pmtiles')}, up to zoom 13`]);
  const [, absent] = await reported({ MAP_PMTILES: 'none.pmtiles' });
  assert.deepEqual([absent?.ok, absent?.detail], [false, `${path.join(folder, 'none.pmtiles')} does not exist`]);
  assert.match(absent?.advice ?? '', /^the map has no streets until/);
});
