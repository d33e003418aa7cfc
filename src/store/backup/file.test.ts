/** What a backup is as a file: whole or nothing, and never believed where one bit of it is another. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { BackupRefused, openBackup, writeBackup } from './file.ts';
import { encode, type Piece, Tally } from './pieces.ts';

const NEVER = new AbortController().signal;
const ORIGIN: Piece = {
  kind: 'origin',
  value: {
    program: '1.2.3',
    made: '2026-11-20T10:00:00.000Z',
    migrations: [{ number: 1, name: '0001-a', sha256: 'f' }],
  },
};
const HEAD: Piece = { kind: 'table', value: { table: 'stations', columns: ['id', 'name'] } };
const ROWS = [Buffer.from('a\tPetrom Știrbei\nb\tO'), Buffer.from('MV\\nII\n')];
const ENDING: Piece = { kind: 'ending', value: { tables: 1, sequences: [{ name: 's', value: '7', called: true }] } };

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-'));
  file = path.join(folder, 'x.backup');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function endOf(rows: readonly Buffer[]): Piece {
  const tally = new Tally();
  for (const bytes of rows) tally.add(bytes);
  return { kind: 'end', value: tally.end() };
}

const WHOLE: readonly Piece[] = [ORIGIN, HEAD, ...ROWS.map(rowsOf), endOf(ROWS), ENDING];

function rowsOf(value: Buffer): Piece {
  return { kind: 'rows', value };
}

async function* told(pieces: readonly Piece[]) {
  yield* pieces;
}

/** A file whose checksum is right, whatever is in it. */
function sealed(content: Buffer, firstLine = 'pompa-backup 1\n'): Buffer {
  const body = Buffer.concat([Buffer.from(firstLine), content]);
  return Buffer.concat([body, createHash('sha256').update(body).digest()]);
}

const packed = (pieces: readonly Piece[]) =>
  zstdCompressSync(Buffer.concat(pieces.flatMap((piece) => [...encode(piece)])));

async function refusal(content: Buffer): Promise<string> {
  writeFileSync(file, content);
  const error = await openBackup(file).then(
    async (backup) => assert.fail(`accepted, with ${JSON.stringify(backup.contents)}`),
    (why) => why,
  );
  assert.ok(error instanceof BackupRefused, String(error));
  assert.ok(error.message.startsWith(`${file} `) && !error.message.includes('\n'), error.message);
  return error.message.slice(file.length + 1);
}

describe('a backup that is written', () => {
  test('is read as it was, by its owner alone, with nothing beside it', async () => {
    const bytes = await writeBackup(file, told(WHOLE), NEVER);
    assert.deepEqual(readdirSync(folder), ['x.backup']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(file).size, bytes);
    const backup = await openBackup(file);
    assert.deepEqual(backup.contents, {
      origin: ORIGIN.value,
      tables: [{ ...HEAD.value, rows: 2 }],
      sequences: [{ name: 's', value: '7', called: true }],
      bytes,
    });
    const again: Piece[] = [];
    for await (const piece of backup.pieces()) again.push(piece);
    assert.deepEqual(again, WHOLE);
    await backup.close();
  });

  test('does not take the place of anything that is there, not even of a link that leads nowhere', async () => {
    writeFileSync(file, 'precious');
    await assert.rejects(writeBackup(file, told(WHOLE), NEVER), /x\.backup is there already and is not overwritten/);
    assert.equal(readFileSync(file, 'utf8'), 'precious');
    symlinkSync('/nowhere', path.join(folder, 'link'));
    await assert.rejects(writeBackup(path.join(folder, 'link'), told(WHOLE), NEVER), /is there already/);
    assert.deepEqual(readdirSync(folder).sort(), ['link', 'x.backup']);
  });

  test('does not take the place of a file that came meanwhile: one of two writers wins', async () => {
    const both = await Promise.allSettled([1, 2].map(() => writeBackup(file, told(WHOLE), NEVER)));
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(readdirSync(folder), ['x.backup']);
    await (await openBackup(file)).close();
  });

  test('leaves nothing behind when what is to be written breaks off, or the process is told to end', async () => {
    const failing = async function* () {
      yield* [ORIGIN, HEAD];
      throw new Error('the database is gone');
    };
    await assert.rejects(writeBackup(file, failing(), NEVER), /^Error: the database is gone$/);
    const stop = new AbortController();
    const endless = async function* () {
      yield* [ORIGIN, HEAD];
      for (let count = 0; ; count += 1) {
        if (count === 100) stop.abort();
        yield rowsOf(Buffer.alloc(60_000, count));
      }
    };
    await assert.rejects(writeBackup(file, endless(), stop.signal), { name: 'AbortError' });
    assert.deepEqual(readdirSync(folder), []);
  });

  test('says what is wrong with the place', async () => {
    const absent = path.join(folder, 'no', 'x.backup');
    await assert.rejects(
      writeBackup(absent, told(WHOLE), NEVER),
      /x\.backup cannot be written: its folder does not exist$/,
    );
    await assert.rejects(writeBackup(folder, told(WHOLE), NEVER), /is there already/);
    writeFileSync(file, '');
    const below = path.join(file, 'y.backup');
    await assert.rejects(writeBackup(below, told(WHOLE), NEVER), /y\.backup cannot be written: its folder is none$/);
  });
});

describe('a file is refused', () => {
  test('with any one bit changed', { timeout: 120_000 }, async () => {
    await writeBackup(file, told(WHOLE), NEVER);
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at += 1) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] as number) ^ (1 << (at % 8));
      const why = await refusal(bad);
      assert.match(why, at < 15 ? /^is (no backup|a backup of format \d)/ : /^is damaged .*: its checksum is wrong/);
    }
    await refusal(Buffer.concat([good, Buffer.from([0])]));
  });

  test('cut off anywhere', { timeout: 120_000 }, async () => {
    await writeBackup(file, told(WHOLE), NEVER);
    const good = readFileSync(file);
    for (let length = 0; length < good.length; length += 1) await refusal(good.subarray(0, length));
  });

  test('that is something else, and says what a backup begins with', async () => {
    const zip = Buffer.from('504b0304140000000800', 'hex');
    const strangers = [
      Buffer.alloc(0),
      zip,
      gzipSync('x'),
      zstdCompressSync('x'),
      Buffer.from('-- PostgreSQL database dump\n'),
    ];
    for (const content of strangers) {
      assert.equal(await refusal(content), 'is no backup of Pompa: such a file begins with "pompa-backup 1"');
    }
    assert.match(await refusal(sealed(packed(WHOLE), 'pompa-backup 0\n')), /^is no backup of Pompa/);
  });

  test('of a later format, in words that say who can read it', async () => {
    const later = 'is a backup of format 2 of a newer Pompa, and this one reads 1: use the newer version';
    assert.equal(await refusal(sealed(Buffer.from('unknown'), 'pompa-backup 2\n')), later);
  });

  test('whose checksum is right, but not its content', async () => {
    const content: [pieces: readonly Piece[], why: RegExp][] = [
      [[], /its end is missing/],
      [WHOLE.slice(0, -1), /its end is missing/],
      [WHOLE.slice(1), /its pieces are not in order/],
      [[...WHOLE, ENDING], /its pieces are not in order/],
      [[ORIGIN, ORIGIN, ...WHOLE.slice(1)], /its pieces are not in order/],
      [[ORIGIN, HEAD, ENDING], /the table stations has no end/],
      [[ORIGIN, HEAD, HEAD], /the table stations has no end/],
      [[ORIGIN, rowsOf(ROWS[0] as Buffer)], /rows belong to no table/],
      [[ORIGIN, ENDING], /tables are missing/],
      [[ORIGIN, HEAD, rowsOf(ROWS[0] as Buffer), endOf(ROWS), ENDING], /the rows of stations are not those/],
    ];
    for (const [pieces, why] of content) assert.match(await refusal(sealed(packed(pieces))), why);
    assert.match(await refusal(sealed(Buffer.from('no zstd at all'))), /it cannot be unpacked/);
    assert.match(await refusal(sealed(packed(WHOLE).subarray(0, -20))), /is damaged/);
    const odd = Buffer.from([...'X\0\0\0\0'].map((letter) => letter.charCodeAt(0)));
    assert.match(await refusal(sealed(zstdCompressSync(odd))), /a piece of it is of no known kind/);
    const long = Buffer.from('5200ffffff', 'hex');
    assert.match(await refusal(sealed(zstdCompressSync(long))), /a piece of it is too long/);
    assert.match(
      await refusal(sealed(zstdCompressSync(Buffer.from('4f000000027b7b', 'hex')))),
      /a piece of it cannot be read/,
    );
  });

  test('that is not there, a folder, or a pipe, without waiting for anybody', async () => {
    await assert.rejects(openBackup(path.join(folder, 'none')), /none cannot be read: there is no such file$/);
    await assert.rejects(openBackup(folder), /cannot be read: it is no regular file$/);
    execFileSync('mkfifo', [file]);
    await assert.rejects(openBackup(file), /cannot be read: it is no regular file$/);
  });
});
