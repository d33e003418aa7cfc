import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeSource, type SourcePrices, setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { loadFacts } from '../../store/prices/load-facts.ts';
import { inReadSnapshot } from '../../store/prices/publication.ts';

const flooding = new FakeSource('rompetrol');
const { database, bench, fakeSource: register } = setUpCollector(flooding);
const BOTH = { sources: ['register', 'rompetrol'] };
const NEW = 101;
const METRES_BETWEEN = 11_119.5;

/** R1, and `NEW` more stations, all at the place of R50. */
function respondWithFlood(): void {
  const numbers = Array.from({ length: NEW }, (_, index) => 51 + index);
  const stations: SourcePrices = Object.fromEntries(
    ['R1', ...numbers.map((n) => `R${n}`)].map((n) => [n, { diesel: 7_500 }]),
  );
  const north = Object.fromEntries(numbers.map((n) => [`R${n}`, (20 - n) * METRES_BETWEEN]));
  flooding.respondsWith(stations, { north });
}

async function runAll(day: number, order = {}): Promise<[source: string, outcome: string, created: number][]> {
  const { runs } = await bench.run(`2026-11-${day}T08:00:00Z`, { ...BOTH, ...order });
  return runs.map(({ source, outcome, created }) => [source, outcome, created]);
}

async function storedStations(): Promise<number> {
  return (await inReadSnapshot(database.kysely, loadFacts)).stations.length;
}

async function deliverThreeTimes(): Promise<void> {
  register.respondsWith({ R30: { petrol: 7_000 } });
  flooding.respondsWith({ R1: { diesel: 7_500 } });
  for (const day of [10, 11, 12]) await runAll(day);
}

test('a source that suddenly names many stations adds none, however often it repeats them; others deliver', async () => {
  await deliverThreeTimes();
  respondWithFlood();
  for (const day of [13, 14, 15, 16]) {
    register.respondsWith({ R30: { petrol: 7_000 + day } });
    assert.deepEqual(await runAll(day), [
      ['register', 'delivered', 0],
      ['rompetrol', 'set_aside', 0],
    ]);
    assert.equal(await storedStations(), 2);
  }
  flooding.respondsWith({ R1: { diesel: 7_600 }, R2: { diesel: 7_600 } });
  assert.deepEqual((await runAll(17))[1], ['rompetrol', 'delivered', 1], 'delivers again once the answer is honest');
});

test('an operator who forces the run accepts the stations', async () => {
  await deliverThreeTimes();
  respondWithFlood();
  assert.deepEqual((await runAll(13, { force: true }))[1], ['rompetrol', 'delivered', NEW]);
  assert.equal(await storedStations(), NEW + 2);
});
