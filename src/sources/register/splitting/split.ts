/** Works around the register's cap of 50 records: requests a full answer again in parts, until no part is full. */

import type { RegisterItems } from '../parsing/parse-json.ts';
import { isUnreadable, type ParsedRows, stationKey } from '../parsing/parse-rows.ts';
import type { UnitTask } from '../requests/sweep-plan.ts';
import { byUnit } from '../requests/targets.ts';
import type { KnownNetworks } from './known-networks.ts';
import { failureOf, isCapped, type SearchDependencies, TileSearch } from './tile-search.ts';

export type SplitDependencies = SearchDependencies & { readonly networks: KnownNetworks };

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
  const { answers, capped, failed } = await readByNetwork(task, dependencies);
  const own = [cappedAnswer, ...answers];
  if (failed) return { own, around: [], cutOff: failed };
  if (!capped && containsAllStations(answers, cappedAnswer)) return { own, around: [], cutOff: null };
  const search = new TileSearch(task, own, dependencies);
  const cutOff = await search.run(first.area);
  return { own, around: search.found, cutOff };
}

async function readByNetwork(task: UnitTask, { session, networks, parseRows }: SplitDependencies) {
  const answers: ParsedRows[] = [];
  let capped = false;
  for (const network of await networks.all()) {
    const reply = await session.request(byUnit(task.siruta, task.fuel, network));
    const failed = failureOf(reply);
    if (failed) return { answers, capped, failed: `${network}: ${failed}` };
    if (reply.kind !== 'items') continue;
    const answer = parseRows(reply.items);
    if (isUnreadable(answer)) return { answers, capped, failed: `${network}: no row can be parsed` };
    answers.push(answer);
    capped ||= isCapped(reply.items);
  }
  return { answers, capped, failed: null };
}

/** Whether the parts contain every station of the whole answer: if not, the register's filter does not work. */
function containsAllStations(parts: readonly ParsedRows[], whole: ParsedRows): boolean {
  const shown = new Set(parts.flatMap(({ stations }) => stations.map(stationKey)));
  return whole.stations.every((station) => shown.has(stationKey(station)));
}
