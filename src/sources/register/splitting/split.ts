/** Works around the register's cap of 50 records: requests a full answer again in parts, until no part is full. */

import type { RegisterItems } from '../parsing/parse-json.ts';
import { isUnreadable, type ParsedRows, stationKey } from '../parsing/parse-rows.ts';
import { readNetwork } from '../parsing/station-row.ts';
import type { UnitTask } from '../requests/sweep-plan.ts';
import { byUnit } from '../requests/targets.ts';
import type { KnownNetworks } from './known-networks.ts';
import { failureOf, isCapped, type SearchDependencies, TileSearch } from './tile-search.ts';

export type SplitDependencies = SearchDependencies & {
  readonly networks: KnownNetworks;
  /** Networks (slugs) that had rows in the unit before this run. */
  readonly networksWithRows: ReadonlySet<string>;
};

export type CompleteUnit = {
  /** From requests for the unit itself. */
  readonly own: readonly ParsedRows[];
  /** From searches around points; includes other units' stations. */
  readonly around: readonly ParsedRows[];
  /** Why the unit may still lack stations; `null` if it is complete. */
  readonly cutOff: string | null;
};

/** Reads a complete unit whose first answer was capped. */
export async function readCompleteUnit(
  task: UnitTask,
  first: RegisterItems,
  dependencies: SplitDependencies,
): Promise<CompleteUnit> {
  const cappedAnswer = dependencies.parseRows(first);
  const { answers, isComplete, failed } = await readByNetwork(task, dependencies);
  const own = [cappedAnswer, ...answers];
  if (failed) return { own, around: [], cutOff: failed };
  if (isComplete && containsAllStations(answers, cappedAnswer)) return { own, around: [], cutOff: null };
  const search = new TileSearch(task, own, dependencies);
  const cutOff = await search.run(first.area);
  return { own, around: search.found, cutOff };
}

/** The parts are incomplete if one is full, or if a network that had rows here is not found, perhaps by accident. */
async function readByNetwork(task: UnitTask, dependencies: SplitDependencies) {
  const { session, networks, networksWithRows, parseRows } = dependencies;
  const answers: ParsedRows[] = [];
  let isComplete = true;
  for (const network of await networks.all()) {
    const reply = await session.request(byUnit(task.siruta, task.fuel, network));
    const failed = failureOf(reply);
    if (failed) return { answers, isComplete, failed: `${network}: ${failed}` };
    if (reply.kind !== 'items') {
      isComplete &&= !networksWithRows.has(readNetwork(network)?.slug ?? '');
      continue;
    }
    const answer = parseRows(reply.items);
    if (isUnreadable(answer)) return { answers, isComplete, failed: `${network}: no row can be parsed` };
    answers.push(answer);
    isComplete &&= !isCapped(reply.items);
  }
  return { answers, isComplete, failed: null };
}

/** Whether the parts contain every station of the whole answer: if not, the register's filter does not work. */
function containsAllStations(parts: readonly ParsedRows[], whole: ParsedRows): boolean {
  const shown = new Set(parts.flatMap(({ stations }) => stations.map(stationKey)));
  return whole.stations.every((station) => shown.has(stationKey(station)));
}
