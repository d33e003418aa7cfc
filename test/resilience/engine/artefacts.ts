/** What kills leave on disk: half-written files, and the last good state. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { archiveFolder } from '../../../src/sources/archive/archive.ts';
import { readLastGood } from '../../../src/store/prices/last-good.ts';
import type { Cluster } from './cluster.ts';

/** The collection that the last good state on disk is of, 0 = there is none; every price of it must be. */
export async function lastGoodCollection({ dataDir, oracle, publications }: Cluster): Promise<number> {
  const lastGood = await readLastGood(dataDir, (why) => publications.addViolation(why));
  const prices = lastGood?.facts.prices ?? [];
  const base = new Map([...oracle.prices(0)].map(({ id, fuel, price }) => [`${id} ${fuel}`, price]));
  const found = new Set(
    prices.map(({ station, fuel, price }) =>
      oracle.collectionOf((price ?? 0) / 1000, (base.get(`${station} ${fuel}`) ?? 0) / 1000, publications.latest),
    ),
  );
  if (found.size > 1 || found.has(null) || (prices.length > 0 && prices.length !== oracle.records)) {
    publications.addViolation(`the last good state has ${prices.length} prices of the collections ${[...found]}`);
  }
  return [...found][0] ?? 0;
}

/** Half-written files, of the last good state and of the archive. */
export function countPartialFiles({ dataDir }: Cluster): { lastGood: number; archive: number } {
  const parts = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.part')).length;
  return { lastGood: parts(dataDir), archive: parts(archiveFolder(path.resolve(dataDir), 'register')) };
}

/** Whoever writes the last good state takes half-written files of others along when they are ten minutes old. */
const ABANDONED_MS = 11 * 60_000;

/** Holds that no half-written last good state stays for ever. */
export function checkAbandoned({ dataDir, publications }: Cluster): void {
  for (const name of readdirSync(dataDir).filter((each) => each.endsWith('.part'))) {
    const { mtimeMs } = statSync(path.join(dataDir, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > ABANDONED_MS) publications.addViolation(`${name} was left half written`);
  }
}
