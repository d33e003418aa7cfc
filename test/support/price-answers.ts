/** The bytes of every price answer that a database gives at a moment. */
import { Edition } from '../../src/api/rendering/rendered-snapshot.ts';
import { bucharestDay, dayNumber } from '../../src/domain/days.ts';
import { ROAD_FUELS } from '../../src/domain/fuel.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { HISTORY_DAYS } from '../../src/snapshot/history.ts';
import type { Rules } from '../../src/worker/collection/days.ts';
import { readChanges } from '../../src/worker/serving/read-changes.ts';
import type { TestDatabase } from './test-database.ts';

/** Name of the answer → its bytes: as a key holder and as anybody is told, lacking prices as `null` and as zero. */
export async function answersOf(database: TestDatabase, rules: Rules, now: number): Promise<Map<string, Buffer>> {
  const { facts, history } = await readChanges(database, null, dayNumber(bucharestDay(now)));
  const snapshot = buildSnapshot({ ...rules, facts, history, now });
  const edition = await Edition.of(snapshot);
  const answers = new Map<string, Buffer>();
  for (const missing of ['null', 'zero'] as const) {
    answers.set(`minime ${missing}`, edition.national(missing).plain);
    answers.set(`retele ${missing}`, edition.networks(missing).plain);
    for (const full of [true, false]) {
      answers.set(`preturi ${missing} ${full}`, edition.cities({ county: null, missing, full }).plain);
    }
    for (const code of snapshot.counties.keys())
      answers.set(`judete ${code} ${missing}`, edition.county(code, missing).plain);
  }
  for (const full of [true, false]) {
    for (const fuel of [undefined, ...ROAD_FUELS]) {
      answers.set(`statii ${fuel} ${full}`, edition.stations({ brand: '', fuel, near: null, full }).plain);
    }
  }
  for (const id of new Set(facts.stations.map((station) => station.id))) {
    const body = edition.history(id, HISTORY_DAYS)?.().plain;
    if (body !== undefined) answers.set(`istoric ${id}`, body);
  }
  return answers;
}
