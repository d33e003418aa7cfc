/** Backups with a few rows, and archives that our programs never write. */
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { extract, type Header, pack } from 'tar-stream';
import type { Contents, Dump, TableRows } from '../../src/store/backup/contents.ts';

export const CONTENTS: Contents = {
  program: '1.2.3',
  made: '2026-11-20T10:00:00.000Z',
  migrations: [{ number: 1, name: '0001-a', sha256: 'f' }],
  tables: [
    { table: 'stations', columns: ['id', 'name'], rows: 3 },
    { table: 'leases', columns: ['name'], rows: 0 },
    { table: 'runs', columns: ['id', 'at'], rows: 1 },
  ],
  sequences: [{ name: 's', value: '7', called: true }],
};

/** The contents and rows of a small backup. */
export const DUMP: readonly (TableRows | Contents)[] = [
  { table: 'stations', bytes: Buffer.from('a\tPetrom Știrbei\nb\tOMV\\nII\n') },
  { table: 'stations', bytes: Buffer.from('c\t\n') },
  { table: 'runs', bytes: Buffer.from('1\t\\N\n') },
  CONTENTS,
];

export async function* dumpOf(items: readonly (TableRows | Contents)[]): Dump {
  yield* items;
}

/** The rows of each table, joined. */
export async function collected(rows: Dump): Promise<Record<string, string>> {
  const tables: Record<string, string> = {};
  for await (const item of rows) {
    if ('bytes' in item) tables[item.table] = `${tables[item.table] ?? ''}${item.bytes.toString('latin1')}`;
  }
  return tables;
}

export type ArchiveMember = Partial<Header> & { readonly name: string; readonly content?: string | Buffer };

/** A tar archive compressed with zstd. */
export async function archiveOf(members: readonly ArchiveMember[]): Promise<Buffer> {
  const archive = pack();
  for (const { content = '', ...header } of members) archive.entry(header, content);
  archive.finalize();
  return zstdCompressSync(await buffer(archive));
}

/** Name → content of every member, in their order. */
export async function unpacked(archive: Buffer): Promise<Map<string, Buffer>> {
  const entries = extract();
  entries.end(zstdDecompressSync(archive));
  const members = new Map<string, Buffer>();
  for await (const entry of entries) members.set(entry.header.name, await buffer(entry));
  return members;
}
