/** `restore --check` of an untrusted file prints one sentence, needs little memory and sends no control characters. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { archiveOf, CONTENTS } from '../support/backup-archive.ts';
import { runWithPeakMemory } from '../support/processes/peak-memory.ts';
import { selected } from '../support/run-settings.ts';

/** Of the whole process, of which the runtime has 112; what is dropped is collected later on a busy machine. */
const MOST_MB = 200;
const MANIFEST = { format: 'pompa-backup', version: 2, ...CONTENTS };
const ESCAPES = '\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202e';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-hostile-'));
});
after(() => rmSync(folder, { recursive: true }));

type Piece = readonly [kind: string, content: Buffer | string];

/** A file of format 1 whose checksum is right. */
function format1(pieces: readonly Piece[]): Buffer {
  const encoded = pieces.flatMap(([kind, content]) => {
    const bytes = Buffer.from(content as string);
    const head = Buffer.alloc(5);
    head.write(kind, 'latin1');
    head.writeUInt32BE(bytes.length, 1);
    return [head, bytes];
  });
  return sealed(Buffer.concat(encoded));
}

function sealed(content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from('pompa-backup 1\n'), zstdCompressSync(content)]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

/** One large text, compressed: the frame of 600 MB is made of copies, as zstd lets frames follow each other. */
function large(piece: Buffer, times: number): Buffer {
  const frame = zstdCompressSync(piece);
  return Buffer.concat(Array.from({ length: times }, () => frame));
}

const manifestOf = (change: object) =>
  archiveOf([{ name: 'manifest.json', content: JSON.stringify({ ...MANIFEST, ...change }) }]);
const manifestText = (content: string) => archiveOf([{ name: 'manifest.json', content }]);
const HEAD = '{"format":"pompa-backup","version":2,"tables":';
const ORIGIN = JSON.stringify({ program: '0.1.0', made: '2026-11-20T00:00:00.000Z', migrations: [] });
const ZEROS = Buffer.alloc(20_000_000);
const EMPTY_PIECES = Buffer.alloc(20_000_000, Buffer.from('T\0\0\0\0', 'latin1'));

const HOSTILE: readonly [what: string, file: () => Buffer | Promise<Buffer>, why: RegExp][] = [
  ['600 MB of zeros', () => large(ZEROS, 30), /is (damaged|not a backup)/],
  [
    '600 MB of members behind a good manifest',
    async () => Buffer.concat([await manifestOf({}), large(ZEROS, 30)]),
    /is damaged/,
  ],
  ['a member of 80 MB that is a header', async () => headerBomb(), /is damaged/],
  ['a million empty objects', () => manifestText(`${HEAD}[${'{},'.repeat(600_000)}{}]}`), /has more than 50000 values/],
  ['a million lists in each other', () => manifestText(`${HEAD}${'['.repeat(900_000)}`), /has more than 50000 values/],
  ['a large text', () => manifestOf({ program: 'x'.repeat(1_900_000) }), /malformed: \/program/],
  ['many values', () => manifestText(`${HEAD}[${'0,'.repeat(900_000)}0]}`), /has more than 50000 values/],
  ['many wrong values', () => manifestText(`${HEAD}[${'0,'.repeat(49_000)}0]}`), /malformed/],
  [
    'many wrong columns',
    () => manifestOf({ tables: [{ table: 'a', columns: Array(49_000).fill(1), rows: 0 }] }),
    /malformed/,
  ],
  ['escape sequences', () => manifestOf({ program: ESCAPES, made: ESCAPES }), /malformed/],
  ['escape sequences as the name of a member', () => archiveOf([...good(), { name: ESCAPES }]), /has a member/],
  ['no origin', () => manifestOf({ program: null, migrations: null }), /malformed/],
  ['null', () => manifestText('null'), /is not a backup/],
  ['600 MB of empty pieces', () => format1Of(large(EMPTY_PIECES, 30)), /not in order|more than a file of/],
  ['600 MB of rows in pieces', () => format1Of(large(rowPieces(), 150)), /unpacks to more than a file of/],
  [
    'an origin of null',
    () =>
      format1([
        ['O', 'null'],
        ['Z', '{"tables":0,"sequences":[]}'],
      ]),
    /is not an object/,
  ],
  [
    'an origin that is a large text',
    () =>
      format1([
        ['O', `"${'x'.repeat(3_900_000)}"`],
        ['Z', '{}'],
      ]),
    /too long/,
  ],
  [
    'an ending that is a list',
    () =>
      format1([
        ['O', ORIGIN],
        ['Z', '[1,2]'],
      ]),
    /is not an object/,
  ],
  ['no ending', () => format1([['O', ORIGIN]]), /its end is missing/],
];

function good() {
  return [{ name: 'manifest.json', content: JSON.stringify({ ...MANIFEST, tables: [] }) }];
}

/** The manifest promises a large member, and a header of that size comes in its place. */
async function headerBomb(): Promise<Buffer> {
  const members = Array.from({ length: 5 }, (_, n) => ({
    name: `stations.000${n + 1}.copy`,
    bytes: 16_000_000,
    sha256: '0'.repeat(64),
  }));
  const tables = [{ table: 'stations', columns: ['id'], rows: 1, members }];
  return archiveOf([
    { name: 'manifest.json', content: JSON.stringify({ ...MANIFEST, tables }) },
    { name: 'x', pax: { comment: 'x'.repeat(15_900_000) } },
  ]);
}

function rowPieces(): Buffer {
  const head = Buffer.alloc(5);
  head.write('R');
  head.writeUInt32BE(4_000_000, 1);
  return Buffer.concat([head, Buffer.alloc(4_000_000, '1\n')]);
}

/** Compressed content behind an origin and the head of a table. */
function format1Of(compressed: Buffer): Buffer {
  const start = [
    ['O', ORIGIN],
    ['T', JSON.stringify({ table: 'stations', columns: ['id'] })],
  ] as const;
  const first = format1(start).subarray(0, -32);
  const body = Buffer.concat([first, compressed]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

describe('a hostile backup is refused in one sentence and little memory:', () => {
  const names = selected(HOSTILE.map(([what]) => what));
  for (const [what, make, why] of HOSTILE.filter(([name]) => names.includes(name))) {
    test(what, { timeout: 120_000 }, async (t) => {
      const file = path.join(folder, 'x.backup');
      writeFileSync(file, await make());
      assert.ok(statSync(file).size < 1_000_000, `${statSync(file).size} bytes`);
      const temporary = mkdtempSync(path.join(folder, 'tmp-'));
      const ended = await runWithPeakMemory(folder, ['restore', '--check', 'x.backup'], { TMPDIR: temporary });
      assert.equal(ended.code, 1, ended.out);
      assert.match(ended.err, /^pompa: x\.backup .*\n$/);
      assert.match(ended.err, why);
      assert.ok(ended.err.length < 600, ended.err);
      assert.doesNotMatch(ended.out + ended.err, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      assert.deepEqual(readdirSync(temporary), []);
      t.diagnostic(`${ended.peakMb?.toFixed(0)} MB`);
      assert.ok((ended.peakMb ?? 0) < MOST_MB, `${ended.peakMb} MB`);
    });
  }
});
