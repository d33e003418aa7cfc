import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readConfig } from './config.ts';
import { hasNoDatabase } from './follower-settings.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-follower-settings-'));
});
after(() => rmSync(folder, { recursive: true }));

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const FOLLOW = { FOLLOW_URL: 'https://pompa.example.ro/', FOLLOW_TOKEN: TOKEN };
const DATABASE_URL = 'postgres://127.0.0.1/pompa';
const DATABASE_READ_URL = 'postgres://127.0.0.2/pompa';
const read = (settings: Record<string, string>) => readConfig(settings, folder);

describe('a server that follows another', () => {
  test('needs no database, and may have one', () => {
    const { FOLLOW_URL } = read(FOLLOW);
    assert.equal(FOLLOW_URL, 'https://pompa.example.ro');
    assert.deepEqual([hasNoDatabase(read(FOLLOW)), hasNoDatabase(read({ ...FOLLOW, DATABASE_URL }))], [true, false]);
    assert.equal(hasNoDatabase(read({})), false, 'the embedded one');
  });

  for (const [what, settings, message] of [
    ['an address without a token', { FOLLOW_URL: FOLLOW.FOLLOW_URL }, /^FOLLOW_TOKEN must be set when FOLLOW_URL is/],
    ['a token that can be guessed', { FOLLOW_TOKEN: 'secret' }, /^FOLLOW_TOKEN must be 32 to 200 .*openssl rand/],
    ['an address with a query', { ...FOLLOW, FOLLOW_URL: 'https://a.ro/?b' }, /^FOLLOW_URL must be an http or https/],
    ['a replica without its primary', { DATABASE_READ_URL }, /^DATABASE_URL must be set when DATABASE_READ_URL is/],
    [
      'a direct address without that of the pooler',
      { DATABASE_DIRECT_URL: DATABASE_URL },
      /^DATABASE_URL must be set when DATABASE_DIRECT_URL is/,
    ],
    ['a replica beside FOLLOW_URL', { ...FOLLOW, DATABASE_URL, DATABASE_READ_URL }, /^DATABASE_READ_URL must be unset/],
    [
      'the primary as its replica',
      { DATABASE_URL, DATABASE_READ_URL: DATABASE_URL },
      /must be the address of a replica/,
    ],
  ] as [string, Record<string, string>, RegExp][])
    test(`refuses ${what}, and never shows a token`, () => {
      assert.throws(
        () => read(settings),
        ({ message: text }: Error) => message.test(text) && !/secret|thirty/.test(text),
      );
    });
});
