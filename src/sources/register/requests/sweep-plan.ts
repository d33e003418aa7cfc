/** The requests of one sweep: each administrative unit once for each fuel. */
import { ROAD_FUELS, type RoadFuel } from '../../../domain/fuel.ts';
import { unitKey } from '../../source.ts';
import { CANARY } from '../parsing/register-ids.ts';

export type UnitTask = { readonly siruta: number; readonly fuel: RoadFuel; readonly key: string };

export const CANARY_TASK: UnitTask = task(CANARY.siruta, CANARY.fuel);

/** The tasks for these units, each once, sorted by their codes. */
export function tasksFor(units: readonly number[]): UnitTask[] {
  const ordered = [...new Set(units)].sort((a, b) => a - b);
  return ordered.flatMap((siruta) => ROAD_FUELS.map((fuel) => task(siruta, fuel)));
}

function task(siruta: number, fuel: RoadFuel): UnitTask {
  return { siruta, fuel, key: unitKey(siruta, fuel) };
}
