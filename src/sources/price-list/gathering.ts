/** Brings the rows of a list together: each station once, one price a station and fuel, one a brand and fuel. */
import type { Fuel, Milli, PriceRanges } from '../../domain/fuel.ts';
import type { BrandPrice, Observed, Reading, StationFacts } from '../../domain/reports/observation.ts';
import { lowest } from '../feed/price.ts';
import { isLater } from './observed.ts';
import type { RowRead } from './row.ts';

/** A list is one unit: it is read whole or not at all. */
export const UNIT = 'all';

type Said = {
  readonly network: string;
  readonly sourceId: string | null;
  readonly fuel: Fuel;
  readonly price: Milli | null;
  readonly observed: Observed | null;
};

/** The same whatever the order of the rows, but for what is said of a station. */
export class Gathering {
  readonly #ranges: PriceRanges;
  readonly #stations = new Map<string, StationFacts>();
  readonly #said = new Map<string, Said>();

  constructor(ranges: PriceRanges) {
    this.#ranges = ranges;
  }

  /** Takes a row in; gives how many of its prices had been named before. */
  add({ network: { slug: network }, station, prices, observed }: RowRead): number {
    const sourceId = station?.sourceId ?? null;
    const owner = `${network} ${sourceId ?? ''}`;
    if (station !== null) {
      const known = this.#stations.get(owner);
      this.#stations.set(owner, known ? merged(known, station) : station);
    }
    let repeated = 0;
    for (const { fuel, price } of prices) {
      const key = `${owner} ${fuel}`;
      const known = this.#said.get(key);
      const now = { network, sourceId, fuel, price, observed };
      if (known) repeated += 1;
      this.#said.set(key, known ? this.#better(known, now) : now);
    }
    return repeated;
  }

  stations(): StationFacts[] {
    return [...this.#stations.values()];
  }

  readings(): Reading[] {
    return [...this.#said.values()].flatMap(({ sourceId, ...said }) =>
      sourceId === null ? [] : [{ ...said, sourceId, unit: UNIT }],
    );
  }

  brandPrices(): BrandPrice[] {
    return [...this.#said.values()].flatMap(({ sourceId, ...said }) => (sourceId === null ? [said] : []));
  }

  /** The later observed; of the same time the lowest believable price. */
  #better(a: Said, b: Said): Said {
    if (isLater(b.observed, a.observed)) return b;
    if (isLater(a.observed, b.observed)) return a;
    return lowest([a.price, b.price], a.fuel, this.#ranges) === a.price ? a : b;
  }
}

/** The later word, but nothing said is no word. */
function merged(known: StationFacts, later: StationFacts): StationFacts {
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
