import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { crawlerOf } from '../domain/access/crawlers.ts';
import { readCrawlers } from './crawlers-file.ts';
import { BadValue } from './parse.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-crawlers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  writeFileSync(path.join(folder, 'ours.json'), text);
  return readCrawlers('ours.json', folder);
}

/** The clause that refuses a file with this text. */
function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    assert.ok(error instanceof BadValue, `${error}`);
    assert.ok(!error.message.includes('\n'), 'one line');
    return error.message;
  }
  throw new Error(`${text} was not refused`);
}

describe('a table of crawlers', () => {
  test('replaces the built-in one, with suffixes in lower case that start with a dot', () => {
    const table = read('[{"token": "Spinne", "suffixes": [".Spinne.example", "crawl.example"]}, {"token": "ant.bot"}]');
    assert.deepEqual(crawlerOf('SPINNE/1', table), {
      token: 'Spinne',
      suffixes: ['.spinne.example', '.crawl.example'],
    });
    assert.deepEqual(crawlerOf('ant.bot/1', table), { token: 'ant.bot', suffixes: [] });
    assert.equal(crawlerOf('antxbot/1', table), null);
    assert.equal(crawlerOf('Googlebot/2.1', table), null);
  });

  test('may be empty, may start with a byte order mark, and may be anywhere', () => {
    assert.equal(crawlerOf('Googlebot/2.1', read('[]')), null);
    assert.equal(crawlerOf('a/1', read('\uFEFF[{"token": "a"}]'))?.token, 'a');
    assert.equal(crawlerOf('a/1', readCrawlers(path.join(folder, 'ours.json'), '/nowhere'))?.token, 'a');
  });
});

describe('the error message describes a valid value for', () => {
  test('a file that cannot be read', () => {
    assert.throws(() => readCrawlers('none.json', folder), /^Error: must point to a readable file: ENOENT/);
    mkdirSync(path.join(folder, 'folder'));
    assert.throws(() => readCrawlers('folder', folder), /^Error: must point to a readable file: EISDIR/);
  });

  test('a file that is not JSON or not an array', () => {
    assert.match(refusal('Googlebot'), /^must point to JSON such as \[\{"token": "Googlebot".*ours\.json is not JSON$/);
    for (const text of ['{}', 'null', '"x"'])
      assert.match(refusal(text), /^must point to an array such as .* is not one$/);
  });

  test('an entry without a valid token', () => {
    for (const entry of ['null', '1', '"Googlebot"', '{}', '{"token": 1}', '{"token": ""}', '{"token": "a b"}']) {
      assert.match(
        refusal(`[{"token": "a"}, ${entry}]`),
        /^needs a "token" of letters.* in entry 2 of .*ours\.json$/,
        entry,
      );
    }
  });

  test('an entry with an unknown member', () => {
    assert.match(
      refusal('[{"token": "a", "sufixes": []}]'),
      /^accepts "token" and "suffixes", not "sufixes", in entry 1 of/,
    );
  });

  test('a suffix that is invalid or matches every name', () => {
    for (const suffix of [
      '""',
      '"."',
      '".."',
      '"*.a.b"',
      '"a..b"',
      '".a."',
      '"-a.b"',
      '"a b"',
      '1',
      'null',
      '"ă.ro"',
    ]) {
      const text = refusal(`[{"token": "a", "suffixes": [${suffix}]}]`);
      assert.match(text, /^needs DNS suffixes such as "\.googlebot\.com" in entry 1 of/, suffix);
    }
    for (const suffixes of ['".a.b"', 'null', '{}']) {
      assert.match(refusal(`[{"token": "a", "suffixes": ${suffixes}}]`), /^needs "suffixes" to be an array/, suffixes);
    }
  });

  test('a token that occurs twice, in any case', () => {
    assert.equal(
      refusal('[{"token": "a"}, {"token": "b"}, {"token": "A"}]'),
      'must name each token once; entries 1 and 3 are A',
    );
  });
});
