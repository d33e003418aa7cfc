import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { setUpCollector } from '../../../test/support/collection/collector-fixture.ts';
import { nationalPetrol } from '../../../test/support/collection/stored-statistics.ts';
import { dayText, startOfBucharestDay } from '../../domain/days.ts';
import { exampleCountry } from '../../simulation/country/example-country.ts';
import { priceAt } from '../../simulation/country/simulated-prices.ts';
import { fillYearOfStatistics } from './demo-statistics.ts';

const { database, fakeSource, bench } = setUpCollector();

test('the demo knows the statistics of a year from the first day on, once, also after an interrupted start', async () => {
  const whole = exampleCountry();
  const ordinary = whole.stations.filter(({ network, anomalies }) => network === 'PETROM' && anomalies.length === 0);
  const stations = ordinary.slice(0, 2).map((station, index) => ({ ...station, id: `R${index + 1}` }));
  const country = { ...whole, stations };
  fakeSource.respondsWith({ R1: { petrol: 9_000 }, R2: { petrol: 9_000 } });
  await bench.run('2026-11-21T08:00Z');
  const given = { country, database, log: pino({ enabled: false }) };
  const fill = (signal = new AbortController().signal) => fillYearOfStatistics({ ...given, signal });

  await assert.rejects(fill(AbortSignal.abort()), { name: 'AbortError' });
  assert.deepEqual(await nationalPetrol(database), {});
  await fill();
  const known = await nationalPetrol(database);
  await fill();

  assert.deepEqual(await nationalPetrol(database), known);
  const days = Object.keys(known).sort();
  const { epochDay } = country;
  assert.equal(days.length, 366);
  assert.deepEqual([days[0], days.at(-1)], [dayText(epochDay - 366), dayText(epochDay - 1)]);
  const back = epochDay - 200;
  const prices = stations.map((one) => priceAt(country, one, 'petrol', startOfBucharestDay(back + 1) - 1_000) ?? 0);
  assert.equal(known[dayText(back)], `2 ${Math.min(...prices)} ${Math.max(...prices)}`);
});
