/** Files that kills leave on disk: half-written ones, and the last good state. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { archiveFolder } from '../../../src/sources/archive/archive.ts';
import { readLastGood } from '../../../src/store/prices/last-good.ts';
import type { ServiceProcesses } from './service-processes.ts';

/** The collection that the last good state on disk is from, 0 = no such file; all its prices must be from it. */
export async function lastGoodCollection({ dataDir, oracle, publications }: ServiceProcesses): Promise<number> {
  const lastGood = await readLastGood(dataDir, (why) => publications.addViolation(why));
  const prices = lastGood?.facts.prices ?? [];
  const base = new Map([...oracle.prices(0)].map(({ id, fuel, price }) => [`${id} ${fuel}`, price]));
  const found = new Set(
    prices.map(({ station, fuel, price }) =>
      oracle.collectionOf((price ?? 0) / 1000, (base.get(`${station} ${fuel}`) ?? 0) / 1000, publications.latest),
    ),
  );
  if (found.size > 1 || found.has(null) || (prices.length > 0 && prices.length !== oracle.records)) {
    publications.addViolation(`the last good state has ${prices.length} prices, from the collections ${[...found]}`);
  }
  return [...found][0] ?? 0;
}

/** Counts half-written files, of the last good state and of the archive. */
export function countPartialFiles({ dataDir }: ServiceProcesses): { lastGood: number; archive: number } {
  const countIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.part')).length;
  return { lastGood: countIn(dataDir), archive: countIn(archiveFolder(path.resolve(dataDir), 'register')) };
}

/** A process that writes the last good state deletes half-written files of other processes after ten minutes. */
const ABANDONED_MS = 11 * 60_000;

/** Checks that no half-written last good state remains for ever. */
export function checkAbandoned({ dataDir, publications }: ServiceProcesses): void {
  for (const name of readdirSync(dataDir).filter((each) => each.endsWith('.part'))) {
    const { mtimeMs } = statSync(path.join(dataDir, name), { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > ABANDONED_MS) publications.addViolation(`${name} was left half written`);
  }
}
