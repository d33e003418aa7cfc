import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readStripped } from './strip-types.ts';

function sources(t: TestContext): { folder: string; one: string; cache: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-stripped-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const one = path.join(folder, 'one.ts');
  writeFileSync(one, '// the first\nexport const one: number = 1;\n');
  return { folder, one, cache: path.join(folder, 'browser-modules.json') };
}

test('stripped texts are kept from call to call, until a file changes', (t) => {
  const { folder, one, cache } = sources(t);
  const [first] = readStripped([one], folder);
  assert.match(first ?? '', /^export const one\s+= 1;\s*$/);
  const kept = statSync(cache).ino;
  assert.deepEqual(readStripped([one], folder), [first]);
  assert.equal(statSync(cache).ino, kept, 'read from the cache, and not written again');
  writeFileSync(cache, readFileSync(cache, 'utf8').replace('= 1;', '= 0;'));
  assert.deepEqual(readStripped([one], folder), [first], 'a damaged cache is not believed');
  writeFileSync(one, 'export const one: number = 2;\n');
  assert.match(readStripped([one], folder)[0] ?? '', /= 2;/);
  assert.match(readFileSync(cache, 'utf8'), /= 2;/);
});

test('a cache that cannot be read or written does no harm', (t) => {
  const { folder, one, cache } = sources(t);
  writeFileSync(cache, '{"hash":');
  assert.match(readStripped([one], folder)[0] ?? '', /= 1;/);
  assert.match(readStripped([one], path.join(folder, 'none'))[0] ?? '', /= 1;/);
  assert.equal(existsSync(path.join(folder, 'none')), false);
});
