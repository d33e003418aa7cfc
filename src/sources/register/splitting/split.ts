/** Overcomes the register's cap of 50 records: a full answer is asked for again in parts, until no part is full. */

import type { WireItems } from '../parsing/parse-json.ts';
import { isUnreadable, stationKey, type Understood } from '../parsing/parse-rows.ts';
import type { Task } from '../requests/sweep-plan.ts';
import { byUnit } from '../requests/targets.ts';
import type { Networks } from './networks.ts';
import { failureOf, isCapped, type SearchParts, TileSearch } from './tile-search.ts';

export type SplitParts = SearchParts & { readonly networks: Networks };

export type Whole = {
  /** From questions about the unit itself. */
  readonly own: readonly Understood[];
  /** From searches around points: other units' stations too. */
  readonly around: readonly Understood[];
  /** Why the unit may lack stations all the same; `null` when it is whole. */
  readonly cutOff: string | null;
};

/** Reads all of a unit whose first answer was capped. */
export async function readWhole(task: Task, first: WireItems, parts: SplitParts): Promise<Whole> {
  const whole = parts.understand(first);
  const { answers, capped, failed } = await readByNetwork(task, parts);
  const own = [whole, ...answers];
  if (failed) return { own, around: [], cutOff: failed };
  if (!capped && holdsAll(answers, whole)) return { own, around: [], cutOff: null };
  const search = new TileSearch(task, own, parts);
  const cutOff = await search.run(first.area);
  return { own, around: search.found, cutOff };
}

async function readByNetwork(task: Task, { questions, networks, understand }: SplitParts) {
  const answers: Understood[] = [];
  let capped = false;
  for (const network of await networks.all()) {
    const reply = await questions.ask(byUnit(task.siruta, task.fuel, network));
    const failed = failureOf(reply);
    if (failed) return { answers, capped, failed: `${network}: ${failed}` };
    if (reply.kind !== 'items') continue;
    const answer = understand(reply.items);
    if (isUnreadable(answer)) return { answers, capped, failed: `${network}: not one row can be understood` };
    answers.push(answer);
    capped ||= isCapped(reply.items);
  }
  return { answers, capped, failed: null };
}

/** Whether the parts show every station that the whole had shown: else the filter cannot be relied on. */
function holdsAll(parts: readonly Understood[], whole: Understood): boolean {
  const shown = new Set(parts.flatMap(({ stations }) => stations.map(stationKey)));
  return whole.stations.every((station) => shown.has(stationKey(station)));
}
