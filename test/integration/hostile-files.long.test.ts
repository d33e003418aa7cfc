/** One file that an operator names takes no process down: it is refused in a sentence and little memory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runWithPeakMemory } from '../support/processes/peak-memory.ts';
import { selected } from '../support/run-settings.ts';

/** What a command takes that imports the whole program, and a file of 32 MB. */
const MAX_MB = 300;
const HEAD = 'date,station,fuel,price\n';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-files-'));
});
after(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string) => writeFileSync(path.join(folder, name), content);
const FILES: readonly [what: string, name: string, make: () => void, why: RegExp][] = [
  ['a terabyte', 'a.csv', () => terabyte('a.csv'), /a\.csv: it is larger than 32 MB: split it/],
  ['a million lines', 'a.csv', () => file('a.csv', HEAD + 'x\n'.repeat(1e6)), /more than 250000 lines/],
  ['a million lines of an old Mac', 'a.csv', () => file('a.csv', HEAD + 'x\r'.repeat(1e6)), /more than 250000 lines/],
  ['a line of commas', 'a.csv', () => file('a.csv', HEAD + ','.repeat(2e7)), /more than 4000000 values/],
  ['a long value', 'a.csv', () => file('a.csv', `${HEAD}${'x'.repeat(1e7)},a,gpl,1\n`), /longer than 10000 characters/],
  ['a long name of a column', 'a.csv', () => file('a.csv', `${'x'.repeat(1e7)}\n1\n`), /unknown column "x{60}"/],
  ['deep lists', 'a.json', () => file('a.json', '['.repeat(1e7)), /must be an array of objects/],
  ['deep values', 'a.json', () => file('a.json', `[{"fuel":${'['.repeat(5e6)}${']'.repeat(5e6)}}]`), /no objects/],
  ['empty objects', 'a.json', () => file('a.json', `[${'{},'.repeat(5e6)}{}]`), /more than 4000000 values/],
];

function terabyte(name: string): void {
  file(name, '');
  truncateSync(path.join(folder, name), 1e12);
}

describe('an import of a hostile file is refused:', () => {
  const names = selected(FILES.map(([what]) => what));
  for (const [what, name, make, why] of FILES.filter(([own]) => names.includes(own))) {
    test(what, { timeout: 120_000 }, async (t) => {
      make();
      const ended = await runWithPeakMemory(folder, ['import', 'history', name]);
      assert.equal(ended.code, 1, ended.out);
      assert.match(ended.err, why);
      assert.ok(ended.err.length < 1_000, ended.err.slice(0, 1_000));
      assert.match(ended.err, /1 bad row\(s\), nothing was imported\n$/);
      t.diagnostic(`${ended.peakMb?.toFixed(0)} MB`);
      assert.ok((ended.peakMb ?? 0) < MAX_MB, `${ended.peakMb} MB`);
    });
  }
});

describe('a setting that points to a hostile file prevents startup:', () => {
  const bomb = () => file('a.json', `[${'{},'.repeat(300_000)}{}]`);
  const cases: readonly [what: string, settings: Record<string, string>, make: () => void, why: RegExp][] = [
    ['a terabyte', { CRAWLERS_FILE: 'a.json' }, () => terabyte('a.json'), /^pompa: CRAWLERS_FILE .* larger than 1 MB/],
    ['many values', { CRAWLERS_FILE: 'a.json' }, bomb, /^pompa: CRAWLERS_FILE .* exceeds 50000 values/],
    ['deep lists', { PRICES_MAP: 'a.json' }, () => file('a.json', '['.repeat(9e5)), /^pompa: PRICES_MAP .* 10 levels/],
  ];
  for (const [what, settings, make, why] of cases) {
    test(`${Object.keys(settings)} with ${what}`, async () => {
      make();
      const full = Object.fromEntries(Object.entries(settings).map(([name, own]) => [name, path.join(folder, own)]));
      const ended = await runWithPeakMemory(folder, ['migrate'], full);
      assert.deepEqual([ended.code, ended.out], [1, '']);
      assert.match(ended.err, why);
      assert.ok((ended.peakMb ?? 0) < MAX_MB, `${ended.peakMb} MB`);
    });
  }
});
