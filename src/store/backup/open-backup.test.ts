/** A file that is not a backup, is damaged, or is hostile is refused with one sentence that says why. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import {
  type ArchiveMember,
  archiveOf,
  collected,
  DUMP,
  dumpOf,
  unpacked,
} from '../../../test/support/backup-archive.ts';
import { BackupRefused } from './backup-refusals.ts';
import { openBackup } from './open-backup.ts';
import { writeBackup } from './write-backup.ts';

const NO_BACKUP =
  'is not a backup of Pompa: a backup is a tar archive compressed with zstd, whose first file is manifest.json';

const EMPTY_FRAME_BYTES = 13;

let folder: string;
let file: string;
let good: Buffer;
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-backup-'));
  file = path.join(folder, 'x.backup');
  await writeBackup(file, dumpOf(DUMP), new AbortController().signal);
  good = readFileSync(file);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function refusal(content: Buffer): Promise<string> {
  const why = await opened(content);
  assert.equal(typeof why, 'string', `accepted, with ${JSON.stringify(why)}`);
  return why as string;
}

/** What is in it, or why it is refused. */
async function opened(content: Buffer): Promise<unknown> {
  writeFileSync(file, content);
  try {
    const { contents, rows, close } = await openBackup(file);
    const held = { contents, rows: await collected(rows()) };
    await close();
    return held;
  } catch (error) {
    assert.ok(error instanceof BackupRefused, String(error));
    assert.ok(error.message.startsWith(`${file} `) && !error.message.includes('\n'), error.message);
    return error.message.slice(file.length + 1);
  }
}

describe('a damaged file is refused', () => {
  test('with any single bit changed, unless its contents are the same', { timeout: 120_000 }, async () => {
    const whole = await opened(good);
    let same = 0;
    for (let at = 0; at < good.length; at += 1) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] as number) ^ (1 << (at % 8));
      const found = await opened(bad);
      if (typeof found !== 'string') {
        assert.deepEqual(found, whole);
        same += 1;
      } else if (at < 4) assert.equal(found, NO_BACKUP);
      else assert.match(found, /^is damaged and nothing of it was used: /);
    }
    // Some bits of zstd do not affect the content: 3 to 10 of them, because the times in the archive change its coding.
    assert.ok(same < 40, `${same} of ${good.length}`);
  });

  test('truncated anywhere, or with bytes appended', { timeout: 120_000 }, async () => {
    const whole = await opened(good);
    for (let length = 0; length < good.length; length += 1) {
      const found = await opened(good.subarray(0, length));
      // What comes last is an empty frame.
      if (length > good.length - EMPTY_FRAME_BYTES - 1 && typeof found !== 'string') assert.deepEqual(found, whole);
      else assert.equal(typeof found, 'string', `${length} of ${good.length}`);
    }
    const longer = Buffer.concat([good, Buffer.from([0])]);
    assert.equal(await refusal(longer), 'is damaged and nothing of it was used: something follows its end');
    assert.match(await refusal(Buffer.concat([good, good])), /it has a member "manifest\.json", which its manifest/);
  });

  test('with a message that names the damaged, missing or misplaced member', async () => {
    const members = await membersOf(good);
    const [manifest, first, second, third] = members as [ArchiveMember, ArchiveMember, ArchiveMember, ArchiveMember];
    const cases: [members: ArchiveMember[], why: RegExp][] = [
      [
        [manifest, { ...first, content: String(first.content).replace('a', 'b') }],
        /member stations\.0001\.copy is not what/,
      ],
      [
        [manifest, { ...first, content: 'short' }],
        /member stations\.0001\.copy does not have the length in its manifest/,
      ],
      [[manifest, first, second], /member runs\.0001\.copy is missing/],
      [[manifest], /member stations\.0001\.copy is missing/],
      [[manifest, first, third], /member runs\.0001\.copy is not in order/],
      [[manifest, first, first], /member stations\.0001\.copy is not in order/],
      [[...members, first], /member stations\.0001\.copy is not in order/],
      [[...members, { name: 'more.copy' }], /has a member "more\.copy", which its manifest does not name/],
    ];
    for (const [content, why] of cases) assert.match(await refusal(await archiveOf(content)), why);
    assert.deepEqual(await opened(await archiveOf(members)), await opened(good));
  });
});

describe('a file is refused', () => {
  test('that is not a backup, with a message that says what a backup is', async () => {
    const strangers = [
      Buffer.alloc(0),
      Buffer.from('504b0304140000000800', 'hex'),
      gzipSync('x'),
      zstdCompressSync(''),
      zstdCompressSync('x'),
      zstdCompressSync(Buffer.alloc(5_000, 'no archive')),
      await archiveOf([]),
      await archiveOf([{ name: 'readme.txt', content: 'x' }]),
      await archiveOf([{ name: 'manifest.json', content: 'x' }]),
      await archiveOf([{ name: 'manifest.json', content: 'null' }]),
      await archiveOf([{ name: 'manifest.json', content: '{"format":"zip"}' }]),
      await archiveOf((await membersOf(good)).slice(1)),
      Buffer.from('-- PostgreSQL database dump\n'),
    ];
    for (const content of strangers) assert.equal(await refusal(content), NO_BACKUP);
  });

  test('that has a later format, with a message that says which version can read it', async () => {
    const later = 'is a backup of format 3 of a newer Pompa, and this one reads 2: use the newer version';
    assert.equal(await refusal(await changed((manifest) => ({ format: manifest.format, version: 3 }))), later);
  });

  test('whose manifest is malformed, or has invalid names of tables or members', async () => {
    const cases: [change: (manifest: Manifest) => object, why: RegExp][] = [
      [({ made: _, ...rest }) => rest, /malformed: {2}must have required properties made/],
      [(manifest) => ({ ...manifest, version: '2' }), /malformed: \/version/],
      [table({ rows: -1 }), /malformed: \/tables\/0\/rows must be >= 0/],
      [table({ rows: 1e300 }), /malformed: \/tables\/0\/rows/],
      [table({ table: '../stations' }), /malformed: \/tables\/0\/table must match pattern/],
      [table({ table: 'a\nb' }), /malformed: \/tables\/0\/table must match pattern/],
      [member({ name: '/etc/passwd' }), /names a member "\/etc\/passwd" where stations\.0001\.copy belongs/],
      [member({ name: '../../stations.0001.copy' }), /names a member "\.\.\/\.\.\/stations\.0001\.copy" where/],
      [member({ bytes: 1e15 }), /its members would be 1000000000\d+ bytes, more than a file of \d+ bytes can hold/],
      [member({ sha256: 'x' }), /malformed: \/tables\/0\/members\/0\/sha256/],
    ];
    for (const [change, why] of cases) assert.match(await refusal(await changed(change)), why);
  });

  test('whose members are paths, links or folders, or have control characters in their names', async () => {
    const [manifest, first] = (await membersOf(good)) as [ArchiveMember, ArchiveMember];
    const cases: [member: ArchiveMember, why: string][] = [
      [{ ...first, name: '../stations.0001.copy' }, 'it has a member "../stations.0001.copy", which its manifest does'],
      [{ ...first, name: '/stations.0001.copy' }, 'it has a member "/stations.0001.copy", which its manifest does not'],
      [{ ...first, name: './stations.0001.copy' }, 'it has a member "./stations.0001.copy", which its manifest does'],
      [{ name: 'a\u001b[2J\n' }, 'it has a member "a\\u001b[2J\\n", which its manifest does not name'],
      [{ name: 'x'.repeat(4_000) }, `it has a member "${'x'.repeat(80)}…", which its manifest does not name`],
      [{ name: 'stations.0001.copy', type: 'symlink', linkname: '/etc/passwd' }, 'its member stations.0001.copy is no'],
      [{ name: 'stations.0001.copy', type: 'directory' }, 'its member stations.0001.copy is not a file'],
    ];
    for (const [hostile, why] of cases) {
      const found = await refusal(await archiveOf([manifest, hostile]));
      assert.ok(found.startsWith(`is damaged and nothing of it was used: ${why}`), found);
    }
  });

  test('that would unpack to more than is allowed: a large manifest, a large member, endless zeros', async () => {
    const spaces = Buffer.alloc(20_000_000, ' ');
    const large = await archiveOf([{ name: 'manifest.json', content: spaces }]);
    assert.match(await refusal(large), /its manifest\.json is larger than 2000000 bytes/);
    const more = /it unpacks to more than its manifest says/;
    assert.match(await refusal(Buffer.concat([good, zstdCompressSync(spaces.fill(0))])), more);
    const pax = { name: 'x', pax: { comment: 'x'.repeat(3_900_000) } };
    assert.match(await refusal(await archiveOf([...(await membersOf(good)), pax, pax, pax, pax])), /is damaged/);
    const wide = zstdCompressSync(spaces, {
      params: { [constants.ZSTD_c_windowLog]: 24, [constants.ZSTD_c_contentSizeFlag]: 0 },
    });
    assert.match(await refusal(wide), /it cannot be unpacked at manifest\.json/);
  });

  test('that is missing, a folder or a pipe, without waiting for a writer', async () => {
    await assert.rejects(openBackup(path.join(folder, 'none')), /none cannot be read: there is no such file$/);
    await assert.rejects(openBackup(folder), /cannot be read: it is not a regular file$/);
    rmSync(file);
    execFileSync('mkfifo', [file]);
    await assert.rejects(openBackup(file), /cannot be read: it is not a regular file$/);
  });
});

type Table = Record<string, unknown> & { members: Record<string, unknown>[] };
type Manifest = Record<string, unknown> & { tables: Table[] };

async function membersOf(archive: Buffer): Promise<ArchiveMember[]> {
  return [...(await unpacked(archive))].map(([name, content]) => ({ name, content }));
}

/** The good archive with another manifest. */
async function changed(change: (manifest: Manifest) => object): Promise<Buffer> {
  const [manifest, ...rest] = await membersOf(good);
  const content = JSON.stringify(change(JSON.parse(String(manifest?.content))));
  return archiveOf([{ name: 'manifest.json', content }, ...rest]);
}

/** Another first table. */
function table(fields: Record<string, unknown>) {
  return ({ tables: [first, ...rest], ...manifest }: Manifest) => ({
    ...manifest,
    tables: [{ ...first, ...fields }, ...rest],
  });
}

/** Another first member of the first table. */
function member(fields: Record<string, unknown>) {
  return (manifest: Manifest) => {
    const [first, ...rest] = manifest.tables[0]?.members ?? [];
    return table({ members: [{ ...first, ...fields }, ...rest] })(manifest);
  };
}
