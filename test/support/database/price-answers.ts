/** The bytes of every price answer that a database gives at a moment. */
import { RenderedSnapshot } from '../../../src/api/rendering/rendered-snapshot.ts';
import { bucharestDay, dayNumber } from '../../../src/domain/days.ts';
import { ROAD_FUELS } from '../../../src/domain/fuel.ts';
import type { CollectionSettings } from '../../../src/domain/prices/collection-settings.ts';
import { buildSnapshot } from '../../../src/snapshot/build.ts';
import { HISTORY_DAYS } from '../../../src/snapshot/price-history.ts';
import { readChanges } from '../../../src/worker/serving/read-changes.ts';
import type { TestDatabase } from './test-database.ts';

/** Name of the answer → its bytes: with and without a key, missing prices as `null` and as zero. */
export async function answersOf(
  database: TestDatabase,
  settings: CollectionSettings,
  now: number,
): Promise<Map<string, Buffer>> {
  const { facts, history } = await readChanges(database, null, dayNumber(bucharestDay(now)));
  const snapshot = buildSnapshot({ ...settings, facts, history, now });
  const rendered = await RenderedSnapshot.render(snapshot);
  const answers = new Map<string, Buffer>();
  for (const missing of ['null', 'zero'] as const) {
    answers.set(`minime ${missing}`, rendered.national(missing).plain);
    answers.set(`retele ${missing}`, rendered.networks(missing).plain);
    for (const fullSet of [true, false]) {
      answers.set(`preturi ${missing} ${fullSet}`, rendered.cities({ county: null, missing, full: fullSet }).plain);
    }
    for (const code of snapshot.counties.keys())
      answers.set(`judete ${code} ${missing}`, rendered.county(code, missing).plain);
  }
  for (const fullSet of [true, false]) {
    for (const fuel of [undefined, ...ROAD_FUELS]) {
      answers.set(`statii ${fuel} ${fullSet}`, rendered.stations({ brand: '', fuel, geoFilter: null, fullSet }).plain);
    }
  }
  for (const id of new Set(facts.stations.map((station) => station.id))) {
    const body = rendered.history(id, HISTORY_DAYS)?.().plain;
    if (body !== undefined) answers.set(`istoric ${id}`, body);
  }
  return answers;
}
