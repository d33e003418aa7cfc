/** Which changes a request asks for. */

import type { ServedChange } from '../../domain/changes/served-change.ts';
import type { Fuel } from '../../domain/fuel.ts';

/** What is `undefined` admits every change. */
export type ChangeFilter = {
  /** Leaves out stations that come and go, which have no fuel. */
  readonly fuel?: Fuel | undefined;
  /** Plate code. */
  readonly county?: string | undefined;
  /** Slugs. */
  readonly cities?: ReadonlySet<string> | undefined;
  readonly network?: string | undefined;
  readonly stations?: ReadonlySet<string> | undefined;
};

export type FilteredFields = Pick<ServedChange, 'station' | 'fuel' | 'county' | 'city' | 'network'>;

/** `null` = the filter admits everything. */
export function changeTest(filter: ChangeFilter): ((change: FilteredFields) => boolean) | null {
  const { fuel, county, cities, network, stations } = filter;
  if (Object.values(filter).every((each) => each === undefined)) return null;
  return (change) =>
    (fuel === undefined || change.fuel === fuel) &&
    (county === undefined || change.county === county) &&
    (cities === undefined || cities.has(change.city)) &&
    (network === undefined || change.network === network) &&
    (stations === undefined || stations.has(change.station));
}

/** The same text for the same filter. */
export function filterName(filter: ChangeFilter): string {
  const { fuel, county, cities, network, stations } = filter;
  if (fuel === undefined && county === undefined && !cities && network === undefined && !stations) return '';
  const list = (values?: ReadonlySet<string>) => values && [...values].sort();
  return JSON.stringify([fuel, county, list(cities), network, list(stations)]);
}
