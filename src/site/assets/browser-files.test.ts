import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { browserFiles, loadBrowserFiles } from './browser-files.ts';

test('browser files are served without types, at an address that changes with any of them', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-browser-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'one.ts'), "import { two } from './two.ts';\nexport const one: number = two;\n");
  writeFileSync(path.join(folder, 'two.ts'), 'export const two: number = 2;\n');
  writeFileSync(path.join(folder, 'two.test.ts'), 'throw new Error();\n');
  const files = loadBrowserFiles([folder]);
  const address = files.pathOf('one.ts');
  assert.match(address, /^\/b\/[0-9a-f]{12}\/one\.ts$/);
  assert.match(
    files.read(address)?.content ?? '',
    /^import \{ two \} from '\.\/two\.ts';\nexport const one\s+= two;\n$/,
  );
  assert.throws(() => files.pathOf('two.test.ts'), /no browser module two\.test\.ts/);
  assert.equal(files.read(address)?.isCurrent, true);
  const other = files.read('/b/000000000000/one.ts');
  assert.deepEqual([other?.content, other?.isCurrent], [files.read(address)?.content, false], 'another fingerprint');
  assert.equal(files.read('/b/000000000000/nothing.ts'), undefined);
  assert.equal(files.read('/b/../one.ts'), undefined);
  writeFileSync(path.join(folder, 'two.ts'), 'export const two: number = 3;\n');
  assert.notEqual(loadBrowserFiles([folder]).pathOf('one.ts'), address);
});

test('the style sheet of the pages is served beside them, without comments', () => {
  const files = browserFiles();
  const style = files.read(files.pathOf('style.css'));
  assert.equal(style?.contentType, 'text/css; charset=utf-8');
  assert.match(style.content, /^:root\{/);
  assert.match(style.content, /\.m-pill/);
  assert.doesNotMatch(style.content, /\/\*/);
});

test('the map library is served beside them as its package ships it, without a source map', () => {
  const files = browserFiles();
  const script = files.read(files.pathOf('leaflet.js'));
  assert.equal(script?.contentType, 'text/javascript; charset=utf-8');
  assert.match(script.content, /^\/\* @preserve\s+\* Leaflet 1\.9\.4/);
  assert.doesNotMatch(script.content, /sourceMappingURL/);
  const style = files.read(files.pathOf('leaflet.css'));
  assert.equal(style?.contentType, 'text/css; charset=utf-8');
  assert.match(style.content, /\.leaflet-container/);
});

test('the files that modules import at once are known, however far away, but not those that a tap loads', () => {
  const { importedBy } = browserFiles();
  assert.deepEqual(importedBy(['search.ts', 'near-me.ts']), []);
  assert.deepEqual(importedBy(['favourites.ts']), ['saved-pages.ts']);
  assert.deepEqual(importedBy(['alerts.ts', 'favourites.ts']).toSorted(), ['push-registrations.ts', 'saved-pages.ts']);
  assert.deepEqual(importedBy(['map.ts']).toSorted(), [
    ...['map-popup.ts', 'map-start.ts', 'map-stations.ts', 'place-pills.ts'],
  ]);
});
