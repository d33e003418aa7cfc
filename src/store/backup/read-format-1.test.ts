/** Backups of versions before the archive are read as they were written, and refused where they are damaged. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import { collected } from '../../../test/support/backup-archive.ts';
import { openBackup } from './open-backup.ts';

/** Written by version 0.1.0. */
const WRITTEN = path.join(import.meta.dirname, 'format-1.backup');
const FIRST_LINE = 'pompa-backup 1\n';

let folder: string;
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-'));
});
after(() => rmSync(folder, { recursive: true }));

async function refusal(content: Buffer): Promise<string> {
  const file = path.join(folder, 'x.backup');
  writeFileSync(file, content);
  const error = await openBackup(file).then(
    () => assert.fail('accepted'),
    (why: Error) => why,
  );
  assert.ok(error.message.startsWith(`${file} is `), error.message);
  return error.message;
}

describe('a backup of format 1', () => {
  test('returns its contents and rows', async () => {
    const backup = await openBackup(WRITTEN);
    const { contents } = backup;
    assert.deepEqual([contents.program, contents.made], ['0.1.0', '2026-11-20T00:00:00.000Z']);
    assert.equal(contents.tables.find(({ table }) => table === 'daily_prices')?.rows, 63);
    assert.equal(contents.sequences.find(({ name }) => name === 'observations_id_seq')?.value, '20');
    const rows = await collected(backup.rows());
    assert.equal(rows.daily_prices?.split('\n').length, 64);
    assert.match(rows.station_aliases ?? '', /\ta\\tb\\nc\\\\\.\t/);
    await backup.close();
  });

  test('is refused with any single bit changed, truncated anywhere, or extended', { timeout: 120_000 }, async () => {
    const good = readFileSync(WRITTEN);
    for (let at = 0; at < good.length; at += 7) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] as number) ^ (1 << (at % 8));
      assert.match(await refusal(bad), at < FIRST_LINE.length ? /is not a backup/ : /is damaged .*checksum is wrong/);
      assert.match(await refusal(good.subarray(0, at)), at < FIRST_LINE.length ? /is not a backup/ : /is damaged/);
    }
    assert.match(await refusal(Buffer.concat([good, Buffer.from([0])])), /its checksum is wrong/);
  });

  test('is refused when its checksum is correct and its content is not', async () => {
    const origin = { program: '1', made: 'x', migrations: [] };
    const head = ['T', { table: 'stations', columns: ['id'] }] as const;
    const end = ['E', { rows: 1, sha256: 'x' }] as const;
    const ending = ['Z', { tables: 1, sequences: [] }] as const;
    const whole: Piece[] = [['O', origin], head, ['R', 'a\n'], end, ending];
    const cases: [pieces: readonly Piece[], why: RegExp][] = [
      [[], /its end is missing/],
      [whole.slice(0, -1), /its end is missing/],
      [whole.slice(1), /its pieces are not in order/],
      [[...whole, ending], /its pieces are not in order/],
      [[['O', origin], head, ending], /its pieces are not in order/],
      [
        [
          ['O', origin],
          ['R', 'a\n'],
        ],
        /rows belong to no table/,
      ],
      [[['O', origin], ending], /tables are missing/],
      [[['O', {}], ...whole.slice(1)], /malformed: {2}must have required properties program/],
      [[['X', {}], ...whole], /its pieces are not in order/],
      [[['O', '{{']], /a piece of it cannot be read/],
    ];
    for (const [pieces, why] of cases) assert.match(await refusal(sealed(zstdCompressSync(encoded(pieces)))), why);
    assert.match(await refusal(sealed(Buffer.from('no zstd at all'))), /it cannot be unpacked/);
    assert.match(
      await refusal(sealed(zstdCompressSync(Buffer.from('5200ffffff', 'hex')))),
      /a piece of it is too long/,
    );
    assert.match(await refusal(sealed(zstdCompressSync(encoded(whole).subarray(0, -2)))), /it ends within a piece/);
  });
});

type Piece = readonly [kind: string, content: string | object];

function encoded(pieces: readonly Piece[]): Buffer {
  return Buffer.concat(
    pieces.flatMap(([kind, content]) => {
      const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
      const head = Buffer.alloc(5);
      head.write(kind, 'latin1');
      head.writeUInt32BE(bytes.length, 1);
      return [head, bytes];
    }),
  );
}

/** A file whose checksum is right, whatever is in it. */
function sealed(content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(FIRST_LINE), content]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}
