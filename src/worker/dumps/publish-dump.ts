/** Puts prepared files in their places, and writes what describes them. */
import { hash } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { dataPackage } from '../../dumps/description/data-package.ts';
import { dcatCatalog } from '../../dumps/description/dcat-catalog.ts';
import { aggregatePath, schemaPath } from '../../dumps/description/dump-identity.ts';
import { citationText, errataText, licenceText } from '../../dumps/description/dump-texts.ts';
import { tableSchema } from '../../dumps/description/table-schema.ts';
import { csvTable } from '../../dumps/formats/csv-lines.ts';
import { type DumpManifest, MANIFEST_FILE } from '../../dumps/manifest.ts';
import { AGGREGATE_TABLES, mapAggregates } from '../../dumps/tables/aggregate-tables.ts';
import { DUMP_TABLES } from '../../dumps/tables/all-tables.ts';
import { makeDirectory } from '../../files/make-directory.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';

export type PreparedDump = {
  readonly manifest: DumpManifest;
  /** Prepared files and where they go; both below their folders. */
  readonly placed: readonly { readonly from: string; readonly to: string }[];
  /** Published files that are no more. */
  readonly obsolete: readonly string[];
  readonly snapshot: Snapshot;
};

/**
 * Each file is replaced whole. The manifest comes last: a reader that finds it finds what it names. A dump that is cut
 * off here is completed by the next one.
 */
export async function publishDump(
  folder: string,
  preparing: string,
  address: string,
  { manifest, placed, obsolete, snapshot }: PreparedDump,
): Promise<void> {
  for (const { from, to } of placed) {
    makeDirectory(path.dirname(path.join(folder, to)));
    await rename(path.join(preparing, from), path.join(folder, to));
  }
  const write = async (name: string, content: string) => {
    const file = path.join(folder, name);
    makeDirectory(path.dirname(file));
    await writeAtomically(file, (temporary) => writeFile(temporary, content, { flag: 'wx', mode: 0o644 }));
  };
  for (const { name, content } of aggregateFiles(snapshot)) await write(name, content);
  const others = descriptions(manifest, address);
  const description = { name: MANIFEST_FILE, content: json(dataPackage(manifest, address)) };
  for (const { name, content } of others) await write(name, content);
  await write('SHA256SUMS', checksums(manifest, [...others, description]));
  await write(description.name, description.content);
  for (const name of obsolete) await rm(path.join(folder, name), { force: true });
}

type Description = { readonly name: string; readonly content: string };

function descriptions(manifest: DumpManifest, address: string): Description[] {
  return [
    { name: 'LICENTA.txt', content: licenceText(manifest, address) },
    { name: 'ERATA.md', content: errataText(manifest) },
    { name: 'CITATION.cff', content: citationText(manifest, address) },
    { name: 'catalog.jsonld', content: json(dcatCatalog(manifest, address)) },
    ...[...DUMP_TABLES, ...AGGREGATE_TABLES].map((table) => ({
      name: schemaPath(table.name),
      content: json(tableSchema(table)),
    })),
  ];
}

function aggregateFiles(snapshot: Snapshot): Description[] {
  return mapAggregates(snapshot, (table, rows) => ({
    name: aggregatePath(table.name),
    content: [...csvTable(table, rows)].join(''),
  }));
}

/** As `sha256sum -c` reads it. The small tables are left out: a service serves newer ones. */
function checksums({ files }: DumpManifest, described: readonly Description[]): string {
  const sums = [
    ...files.map(({ path: name, sha256 }) => ({ name, sum: sha256 })),
    ...described.map(({ name, content }) => ({ name, sum: hash('sha256', content) })),
  ];
  return sums
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, sum }) => `${sum}  ${name}\n`)
    .join('');
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}
