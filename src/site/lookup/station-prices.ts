/** The stations of a snapshot as pages show them: each with its prices, by place and by network. */
import type { Fuel, MilliPrice } from '../../domain/fuel.ts';
import { type PriceVerdict, trustedPrice } from '../../domain/prices/price-verdict.ts';
import { stationSlug } from '../../domain/stations/station-slug.ts';
import type { ServedStation, Snapshot } from '../../snapshot/snapshot.ts';

export type StationPrices = {
  readonly station: ServedStation;
  /** The station's part of its page's address. */
  readonly slug: string;
  readonly verdicts: ReadonlyMap<Fuel, PriceVerdict>;
};

/** A station with a trusted price of one fuel. */
export type RankedStation = StationPrices & { readonly price: MilliPrice };

export type StationLookup = {
  readonly stations: readonly StationPrices[];
  readonly byId: ReadonlyMap<string, StationPrices>;
  /** By slug of the city. */
  readonly byCity: ReadonlyMap<string, readonly StationPrices[]>;
  /** By plate code. */
  readonly byCounty: ReadonlyMap<string, readonly StationPrices[]>;
  /** By slug of the network. */
  readonly byNetwork: ReadonlyMap<string, readonly StationPrices[]>;
};

/** Search engines list the page of a fuel only in cities with this many stations that have a price of it. */
export const MIN_INDEXED_STATIONS = 3;

const lookups = new WeakMap<Snapshot, StationLookup>();

/** The lookup of a snapshot, made at the first page that needs it. */
export function stationLookup(snapshot: Snapshot): StationLookup {
  const known = lookups.get(snapshot);
  if (known !== undefined) return known;
  const made = makeLookup(snapshot);
  lookups.set(snapshot, made);
  return made;
}

/** The stations with a trusted price of a fuel, cheapest first, then by id; doubtful and expired prices never rank. */
export function rankByPrice<S extends StationPrices>(
  stations: readonly S[],
  fuel: Fuel,
): (S & { readonly price: MilliPrice })[] {
  return stations
    .flatMap((each) => {
      const price = trustedPrice(each.verdicts.get(fuel));
      return price === null ? [] : [{ ...each, price }];
    })
    .sort((a, b) => a.price - b.price || (a.station.id < b.station.id ? -1 : 1));
}

/** The stations that sell a fuel without a trusted price: doubtful, expired, incoherent or unknown. */
export function unrankedStations(stations: readonly StationPrices[], fuel: Fuel): StationPrices[] {
  return stations.filter(({ verdicts }) => verdicts.has(fuel) && verdicts.get(fuel)?.kind !== 'trusted');
}

function makeLookup({ records }: Snapshot): StationLookup {
  const byId = new Map<string, StationPrices & { verdicts: Map<Fuel, PriceVerdict> }>();
  for (const { station, fuel, verdict } of records) {
    const known = byId.get(station.id);
    if (known) known.verdicts.set(fuel, verdict);
    else byId.set(station.id, { station, slug: stationSlug(station), verdicts: new Map([[fuel, verdict]]) });
  }
  const stations = [...byId.values()];
  return {
    stations,
    byId,
    byCity: Map.groupBy(stations, ({ station }) => station.citySlug),
    byCounty: Map.groupBy(stations, ({ station }) => station.county),
    byNetwork: Map.groupBy(stations, ({ station }) => station.network.slug),
  };
}
