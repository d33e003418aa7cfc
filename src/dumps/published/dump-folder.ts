/** A folder of dumps on disk, as it was published last. */
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { readBounded } from '../../files/read-bounded.ts';
import { parseDataPackage } from '../description/parse-data-package.ts';
import { type DumpManifest, MANIFEST_FILE } from '../manifest.ts';

/** Ten years of months take 0.4 MB. */
const MAX_MANIFEST_BYTES = 8_000_000;
const PREPARING = '.preparing-';

/** Where a service has its dumps. */
export function dumpFolder(dataDir: string): string {
  return path.join(dataDir, 'dumps', 'v1');
}

/** The manifest of a folder; `null` = there is none that can be read. */
export function readManifest(folder: string): DumpManifest | null {
  try {
    return parseDataPackage(readBounded(path.join(folder, MANIFEST_FILE), MAX_MANIFEST_BYTES).toString('utf8'));
  } catch {
    return null;
  }
}

/** Reads the manifest again only when the file is another one. */
export class ManifestReader {
  readonly #folder: string;
  #tag = '';
  #manifest: DumpManifest | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The same object for as long as the file is the same; `null` = there is none. */
  async read(): Promise<DumpManifest | null> {
    const found = await stat(path.join(this.#folder, MANIFEST_FILE), { bigint: true }).catch(() => null);
    const tag = found === null ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (tag !== this.#tag) {
      this.#manifest = found === null ? null : readManifest(this.#folder);
      this.#tag = tag;
    }
    return this.#manifest;
  }
}

/** A new name inside the folder for what is being prepared. */
export function preparationFolder(folder: string): string {
  return path.join(folder, `${PREPARING}${randomUUID().slice(0, 8)}`);
}

/** Removes what a dump left that was cut off. Nobody else may be preparing one. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(PREPARING)) await rm(path.join(folder, name), { recursive: true, force: true });
}
