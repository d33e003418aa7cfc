/** The mock's manual stations, as imports would store them: independents, a franchise without a price, AdBlue. */

import { MOCK_NOW } from '../src/app/mock/mock-moment.ts';
import { bucharestDay, dayNumber } from '../src/domain/days.ts';
import { FUELS } from '../src/domain/fuel.ts';
import { applyReadings, type KnownPrice, type StationReading } from '../src/domain/prices/apply-collection.ts';
import type { CollectionSettings } from '../src/domain/prices/collection-settings.ts';
import type { StoredPrice } from '../src/domain/prices/facts.ts';
import { Rejections } from '../src/domain/reports/observation.ts';
import { linkStations } from '../src/domain/stations/link-stations.ts';
import type { SourceStation } from '../src/domain/stations/source-station.ts';
import type { Country } from '../src/simulation/country/country.ts';
import { manualPrices, manualStations } from '../src/simulation/country/manual-stations.ts';
import { type ManualPrice, type ManualStation, readPrices, readStations } from '../src/sources/manual/import-rows.ts';

const MANUAL = 'manual';

export type ManualFacts = {
  readonly sourceStations: readonly SourceStation[];
  readonly prices: readonly StoredPrice[];
};

/** The stations and their reports at the mock's moment. */
export function manualFacts(country: Country, { gazetteer, ranges }: CollectionSettings): ManualFacts {
  const rows = readStations('mock.json', JSON.stringify(manualStations()), gazetteer) as ManualStation[];
  const byKey = new Map(rows.map((row) => [row.sourceId, row]));
  const sourceStations = linked(rows).map((station): SourceStation => {
    const { locality, manual } = byKey.get(station.key) as ManualStation;
    return { ...station, locality, manual };
  });
  const idOf = new Map(sourceStations.map(({ key, station }) => [`${MANUAL}:${key}`, station]));
  const reports = readPrices('mock.json', JSON.stringify(manualPrices(country, MOCK_NOW)), ranges, MOCK_NOW);
  const readings = (reports as ManualPrice[]).map((row): StationReading => {
    const observed = { day: bucharestDay(row.observedAt), at: row.observedAt, text: null };
    const station = idOf.get(row.station) as string;
    return { ...row, station, sourceId: station, network: '', observed, unit: MANUAL };
  });
  const markers = sourceStations.flatMap(({ station, key }) =>
    FUELS.filter((fuel) => byKey.get(key)?.fuels.includes(fuel)).map((fuel) => unpriced(station, fuel)),
  );
  const { factsAfter } = applyReadings(MANUAL, markers, readings, new Set(), MOCK_NOW, new Rejections());
  return { sourceStations, prices: factsAfter.map((fact) => ({ ...fact, readAt: fact.observed?.at ?? MOCK_NOW })) };
}

function linked(sweptStations: readonly ManualStation[]): readonly SourceStation[] {
  const { sourceStations } = linkStations({
    ...{ source: MANUAL, hasUniqueKeys: true, sweptStations, knownSourceStations: [], stations: [] },
    wasRead: () => false,
    now: MOCK_NOW,
  });
  return sourceStations;
}

function unpriced(station: string, fuel: KnownPrice['fuel']): KnownPrice {
  const sinceDay = dayNumber(bucharestDay(MOCK_NOW));
  const nothing = { price: null, observed: null, changed: false, missingSince: null };
  return { station, fuel, source: MANUAL, unit: MANUAL, sinceDay, ...nothing };
}
