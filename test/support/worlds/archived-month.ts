/** A month of three sources in their real formats: a small simulated register, Rompetrol's list, MOL's finder. */

import type { ReceivedResponse } from '../../../src/clients/http/response.ts';
import { dayNumber, startOfBucharestDay } from '../../../src/domain/days.ts';
import { loadGazetteer } from '../../../src/geodata/load-gazetteer.ts';
import { exampleCountry } from '../../../src/simulation/country/example-country.ts';
import { bucharestTime, priceAt } from '../../../src/simulation/country/simulated-prices.ts';
import type { SimulatedStation } from '../../../src/simulation/country/simulated-station.ts';
import { molRow } from '../../../src/simulation/feeds/simulated-locators.ts';
import { rompetrolRow } from '../../../src/simulation/feeds/simulated-rompetrol.ts';
import { countryContents } from '../../../src/simulation/register/country-contents.ts';
import { RegisterAnswers } from '../../../src/simulation/register/register-answers.ts';
import { encodeAnswer } from '../../../src/simulation/register/register-encoding.ts';
import { locatorSource } from '../../../src/sources/locators/locators.ts';
import { registerSource } from '../../../src/sources/register/register.ts';
import { rompetrolSource } from '../../../src/sources/rompetrol/rompetrol.ts';
import type { Fetch, Source } from '../../../src/sources/source.ts';
import type { ConfiguredSource } from '../../../src/worker/collection/collect.ts';

const HOUR = 3_600_000;
export const MONTH = { from: '2026-10-01', to: '2026-10-30' } as const;
const FIRST = dayNumber(MONTH.from);
const DAYS = 30;

/** One run a day at varying hours, two on every sixth day, none on one day of the month. */
export const RUN_TIMES: readonly number[] = Array.from({ length: DAYS }, (_, day) => day)
  .filter((day) => day !== 17)
  .flatMap((day) => (day % 6 === 0 ? [6 + (day % 5), 19] : [8 + (day % 13)]).map((hour) => ({ day, hour })))
  .map(({ day, hour }) => startOfBucharestDay(FIRST + day) + hour * HOUR);

const country = exampleCountry(7, startOfBucharestDay(FIRST + 15));
const BUCHAREST = 179_132;
const UNITS = [
  ...new Set([
    BUCHAREST,
    ...country.anomalies.map(({ siruta }) => siruta),
    ...country.units.map(({ siruta }) => siruta),
  ]),
].slice(0, 16);
const stations = country.stations.filter(({ siruta }) => UNITS.includes(siruta));
const stationsOf = (network: string) => stations.filter((station) => station.network === network);

/** Sources that answer as of the time that `now` returns; a replay sends them no request. */
export function monthOfSources(now: () => number): readonly ConfiguredSource[] {
  const register = new RegisterAnswers(countryContents(country));
  return [
    configuredSource(registerSource({ units: UNITS }), async (target) =>
      encodeAnswer(register.answerTo(target, bucharestTime(now()))),
    ),
    configuredSource(rompetrolSource(loadGazetteer()), async () =>
      answer(JSON.stringify(stationsOf('ROMPETROL').map((each, n) => rompetrolListing(each, n, now())))),
    ),
    configuredSource(locatorSource('mol'), async () => answer(JSON.stringify(stationsOf('MOL').map(molListing)))),
  ];
}

function configuredSource(source: Source, fetch: Fetch): ConfiguredSource {
  return { source, parallel: 4, connect: () => ({ fetch, close: async () => undefined }) };
}

function answer(body: string): ReceivedResponse {
  return { status: 200, contentType: 'application/json; charset=utf-8', body: Buffer.from(body) };
}

/** Rompetrol's prices are a little below the register's; each day another fifth of its stations has none. */
function rompetrolListing({ id, name, address, lat, lng, ...station }: SimulatedStation, index: number, now: number) {
  const price = priceAt(country, { id, name, address, lat, lng, ...station }, 'diesel', now);
  const prices =
    price === null || (index + bucharestTime(now).day) % 5 === 0
      ? {}
      : { 'Efix Motorina': `${(price - 30) / 1000} LEI/L` };
  const place = { id: index + 1, name, city: 'București', county: 'București', address, lat, lng };
  return rompetrolRow({ ...place, services: ['Shop'], prices, hours: 'Non-Stop', phone: '0210000000' });
}

function molListing({ id, address, lat, lng }: SimulatedStation) {
  return molRow({ id: `M${id}`, brand: 'MOL', town: 'București', address, postcode: '010101', lat, lng });
}
