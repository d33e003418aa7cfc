/** Backups with a few rows, and archives that our programs never write. */
import { hash } from 'node:crypto';
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

export type EditableTable = { table: string; columns: string[]; rows: number; members: object[] };
export type EditableManifest = Record<string, unknown> & {
  program: string;
  tables: EditableTable[];
  sequences: { name: string; value: string; called: boolean }[];
};

/** The rows of each table as COPY writes them: lines of columns. */
export type EditableRows = Map<string, Buffer>;

/** A backup with other rows or another manifest but correct sizes and digests, as a forger would write it. */
export async function forged(
  archive: Buffer,
  edit: (manifest: EditableManifest, rows: EditableRows) => void,
): Promise<Buffer> {
  const [[, text], ...members] = [...(await unpacked(archive))] as [[string, Buffer], ...[string, Buffer][]];
  const manifest = JSON.parse(String(text)) as EditableManifest;
  const rows: EditableRows = new Map();
  for (const [name, content] of members) {
    const table = name.split('.')[0] as string;
    rows.set(table, Buffer.concat([rows.get(table) ?? Buffer.alloc(0), content]));
  }
  edit(manifest, rows);
  const files: ArchiveMember[] = [];
  for (const table of manifest.tables) {
    const content = rows.get(table.table);
    if (content === undefined) continue;
    const name = `${table.table}.0001.copy`;
    table.members = [{ name, bytes: content.length, sha256: hash('sha256', content) }];
    files.push({ name, content });
  }
  return archiveOf([{ name: 'manifest.json', content: JSON.stringify(manifest) }, ...files]);
}

/** Another text in place of the rows of a table; its count of rows is that of the lines. */
export function withRows(table: string, change: (text: string) => string) {
  return (manifest: EditableManifest, rows: EditableRows): void => {
    const text = change(rows.get(table)?.toString('latin1') ?? '');
    rows.set(table, Buffer.from(text, 'latin1'));
    const own = manifest.tables.find((each) => each.table === table);
    if (own !== undefined) own.rows = text.split('\n').length - 1;
  };
}
