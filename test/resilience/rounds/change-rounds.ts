/** Kills processes that tell changes at any moment, and folds the feed after each publication. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ChangeLog } from '../../../src/api/changes/change-log.ts';
import { DEFAULT_RANGES } from '../../../src/domain/fuel.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { randomFraction } from '../../../src/simulation/country/seeded-random.ts';
import { buildSnapshot } from '../../../src/snapshot/build.ts';
import { PriceHistory } from '../../../src/snapshot/price-history.ts';
import { loadFacts } from '../../../src/store/prices/load-facts.ts';
import { inReadSnapshot } from '../../../src/store/prices/publication.ts';
import { syntheticCountry } from '../../support/builders/synthetic-country.ts';
import { changesAfter, readInto } from '../../support/changes/feed-reader.ts';
import { type FoldedFeed, fold, stateOfSnapshot } from '../../support/changes/folded-feed.ts';
import { type BenchDatabase, publishSweep, seedDatabase } from '../../support/database/bench-database.ts';
import { waitFor } from '../../support/database/embedded-database.ts';

export type ChangeReport = {
  readonly kills: number;
  readonly publications: number;
  readonly changes: number;
  readonly violations: readonly string[];
};

const RECORDS = 600;
const TELLERS = 2;
/** A telling of these records takes about as long. */
const KILLED_WITHIN_MS = 120;
const TOLD_WITHIN_MS = 60_000;
const SETTINGS = { ranges: DEFAULT_RANGES, gazetteer: loadGazetteer(), inService: null };

/** Kills one of two tellers in each round, `kills` in all, soon after a publication. */
export async function changeRounds(
  database: BenchDatabase,
  { kills, seed, onKill }: { kills: number; seed: number; onKill: (line: string) => void },
): Promise<ChangeReport> {
  const world = syntheticCountry(RECORDS, Date.now());
  await seedDatabase(database, world);
  const tellers = await Promise.all(Array.from({ length: TELLERS }, () => startTeller(database.url)));
  const log = new ChangeLog();
  const violations: string[] = [];
  try {
    await waitFor('the first state', TOLD_WITHIN_MS, async () => (await readInto(log, database)).head !== null);
    const folded: FoldedFeed = stateOfSnapshot(await served(database));
    const other = new ChangeLog();
    let seq = 0;
    for (let round = 0; round < kills; round += 1) {
      const version = await publishSweep(database, world, round, SETTINGS);
      await sleep(KILLED_WITHIN_MS * randomFraction(seed, 'kill', round));
      const turn = round % TELLERS;
      const killed = tellers[turn] as ChildProcess;
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      tellers[turn] = await startTeller(database.url);
      await waitFor(`version ${version} is told`, TOLD_WITHIN_MS, async () => {
        await readInto(log, database);
        return log.head?.version === version;
      });
      const { entries } = log.after(seq, null, Number.MAX_SAFE_INTEGER);
      if (entries.some((entry, index) => entry.seq !== seq + index + 1)) violations.push(`round ${round}: a gap`);
      fold(folded, changesAfter(log, seq), { isExact: true });
      seq = log.head?.seq as number;
      const now = stateOfSnapshot(await served(database));
      if (!isDeepStrictEqual(sorted(folded), sorted(now))) violations.push(`round ${round}: not what is served`);
      onKill(`kill ${round + 1}: version ${version}, ${entries.length} changes`);
    }
    await readInto(other, database);
    if (!isDeepStrictEqual(changesAfter(other, 0), changesAfter(log, 0))) violations.push('another reader has others');
    return { kills, publications: kills, changes: seq, violations };
  } finally {
    for (const teller of tellers) teller.kill('SIGKILL');
  }
}

async function served({ kysely }: BenchDatabase) {
  const facts = await inReadSnapshot(kysely, loadFacts);
  return buildSnapshot({ ...SETTINGS, facts, now: Date.now(), history: new PriceHistory() });
}

const sorted = (state: FoldedFeed) => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

async function startTeller(url: string): Promise<ChildProcess> {
  const program = path.resolve(import.meta.dirname, '../processes/telling-process.ts');
  const teller = fork(program, { env: { PATH: process.env.PATH, DATABASE: url } });
  await once(teller, 'message');
  return teller;
}
