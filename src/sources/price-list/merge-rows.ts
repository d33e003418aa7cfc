/** Merges the rows of a list: each station once, one price per station and fuel, one per network and fuel. */
import type { Fuel, MilliPrice, PriceRanges } from '../../domain/fuel.ts';
import type {
  NetworkPrice,
  ObservationTime,
  PriceReading,
  StationDescription,
} from '../../domain/reports/observation.ts';
import { lowestPrice } from '../feed/price.ts';
import type { ListRow } from './list-row.ts';
import { isLater } from './observation-time.ts';

/** A list is one unit: it is read as a whole or not at all. */
export const WHOLE_LIST = 'all';

type ListedPrice = {
  readonly network: string;
  readonly sourceId: string | null;
  readonly fuel: Fuel;
  readonly price: MilliPrice | null;
  readonly observed: ObservationTime | null;
};

/** The result does not depend on the order of the rows, except for station descriptions. */
export class ListRowMerger {
  readonly #ranges: PriceRanges;
  readonly #stations = new Map<string, StationDescription>();
  readonly #prices = new Map<string, ListedPrice>();

  constructor(ranges: PriceRanges) {
    this.#ranges = ranges;
  }

  /** Adds a row; returns how many of its prices the list had already given. */
  add({ network: { slug: network }, station, prices, observed }: ListRow): number {
    const sourceId = station?.sourceId ?? null;
    const owner = `${network} ${sourceId ?? ''}`;
    if (station !== null) {
      const known = this.#stations.get(owner);
      this.#stations.set(owner, known ? mergeStation(known, station) : station);
    }
    let repeated = 0;
    for (const { fuel, price } of prices) {
      const key = `${owner} ${fuel}`;
      const known = this.#prices.get(key);
      const now = { network, sourceId, fuel, price, observed };
      if (known) repeated += 1;
      this.#prices.set(key, known ? this.#preferred(known, now) : now);
    }
    return repeated;
  }

  stations(): StationDescription[] {
    return [...this.#stations.values()];
  }

  readings(): PriceReading[] {
    return [...this.#prices.values()].flatMap(({ sourceId, ...reading }) =>
      sourceId === null ? [] : [{ ...reading, sourceId, unit: WHOLE_LIST }],
    );
  }

  networkPrices(): NetworkPrice[] {
    return [...this.#prices.values()].flatMap(({ sourceId, ...reading }) => (sourceId === null ? [reading] : []));
  }

  /** The later observation; at the same time, the lowest price in range. */
  #preferred(a: ListedPrice, b: ListedPrice): ListedPrice {
    if (isLater(b.observed, a.observed)) return b;
    if (isLater(a.observed, b.observed)) return a;
    return lowestPrice([a.price, b.price], a.fuel, this.#ranges) === a.price ? a : b;
  }
}

/** The later description wins, except where its fields are empty. */
function mergeStation(known: StationDescription, later: StationDescription): StationDescription {
  const placed = later.lat === null ? known : later;
  return {
    ...later,
    name: later.name || known.name,
    address: later.address || known.address,
    lat: placed.lat,
    lng: placed.lng,
    locality: later.locality ?? known.locality ?? null,
  };
}
