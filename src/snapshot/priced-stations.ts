/** The stations with a trusted price of one fuel: the candidates of a route search. */

import type { MilliPrice, RoadFuel } from '../domain/fuel.ts';
import { placesAlong } from '../domain/roads/corridor.ts';
import type { Polyline } from '../domain/roads/line.ts';
import type { ServedStation, StationRecord } from './snapshot.ts';

export type PricedStation = {
  readonly station: ServedStation;
  readonly fuel: RoadFuel;
  readonly price: MilliPrice;
  readonly lat: number;
  readonly lng: number;
};

export class PricedStations {
  readonly #records: readonly StationRecord[];
  readonly #byFuel = new Map<RoadFuel, readonly PricedStation[]>();

  constructor(records: readonly StationRecord[]) {
    this.#records = records;
  }

  /** Those within `radiusKm` of a line, with their distance to it: cheapest first, then nearest. Rule 34. */
  along(line: Polyline, fuel: RoadFuel, radiusKm: number): { readonly place: PricedStation; readonly km: number }[] {
    return placesAlong(line, this.#of(fuel), radiusKm).sort((a, b) => a.place.price - b.place.price || a.km - b.km);
  }

  #of(fuel: RoadFuel): readonly PricedStation[] {
    const known = this.#byFuel.get(fuel);
    if (known !== undefined) return known;
    const found = this.#records.flatMap(({ station, fuel: sold, verdict }) =>
      sold === fuel && verdict.kind === 'trusted'
        ? [{ station, fuel, price: verdict.price, lat: station.lat, lng: station.lng }]
        : [],
    );
    this.#byFuel.set(fuel, found);
    return found;
  }
}
