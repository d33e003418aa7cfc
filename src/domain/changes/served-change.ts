/** Changes from one served state to the next. */
import { compareCodeUnits } from '../../algorithms/compare-code-units.ts';
import type { Fuel } from '../fuel.ts';
import type { ObservationTime } from '../reports/observation.ts';
import { isSamePrice, type ServedPrice, UNSOLD } from './served-price.ts';

/**
 * `price`: another price; `withdrawn`: none any more; `returned`: one where there was none; `flag`: the same price, or
 * again none, for another reason.
 */
type PriceChangeKind = 'price' | 'withdrawn' | 'returned' | 'flag';
export type ChangeKind = PriceChangeKind | 'station added' | 'station removed';
export const CHANGE_KINDS = [
  'price',
  'withdrawn',
  'returned',
  'flag',
  'station added',
  'station removed',
] as const satisfies readonly ChangeKind[];

/** Where a station is, for filters: plate code, slugs of city and network; each is empty if unknown. */
export type ChangePlace = { readonly county: string; readonly city: string; readonly network: string };

export type ServedChange = ChangePlace & {
  readonly station: string;
  /** `null` = the station itself came or went. */
  readonly fuel: Fuel | null;
  readonly kind: ChangeKind;
  readonly before: ServedPrice;
  readonly after: ServedPrice;
  /** Whose price it is now; `null` = there is none. */
  readonly source: string | null;
  /** When that source observed it. */
  readonly observed: ObservationTime | null;
};

/** The records of each station by its id: a state of what is served. */
export type ServedState = ReadonlyMap<string, ReadonlyMap<Fuel, ServedPrice>>;

/** One record as it is served now. */
export type ServedRecord = ChangePlace &
  Pick<ServedChange, 'station' | 'source' | 'observed'> & { readonly fuel: Fuel; readonly served: ServedPrice };

/**
 * The changes that lead from `before` to `records`: in the order of the records, a new station before its records;
 * then by id the stations that went, after theirs. `placeOf` says where such a station was.
 */
export function changesBetween(
  before: ServedState,
  records: readonly ServedRecord[],
  placeOf: (station: string) => ChangePlace,
): ServedChange[] {
  const changes: ServedChange[] = [];
  const seen = new Map<string, Set<Fuel>>();
  for (const record of records) {
    const { station, fuel, served } = record;
    let fuels = seen.get(station);
    if (fuels === undefined) {
      fuels = new Set();
      seen.set(station, fuels);
      if (!before.has(station)) changes.push(stationChange('station added', station, record));
    }
    fuels.add(fuel);
    const old = before.get(station)?.get(fuel) ?? UNSOLD;
    if (!isSamePrice(old, served)) changes.push(priceChange(record, old, served));
  }
  for (const [station, known] of [...before].sort(([a], [b]) => compareCodeUnits(a, b))) {
    const kept = seen.get(station);
    const gone = [...known].filter(([fuel]) => !kept?.has(fuel));
    if (gone.length === 0) continue;
    const nowhere = { station, source: null, observed: null, ...placeOf(station) };
    for (const [fuel, old] of gone) changes.push(priceChange({ ...nowhere, fuel }, old, UNSOLD));
    if (kept === undefined) changes.push(stationChange('station removed', station, nowhere));
  }
  return changes;
}

function priceChange(record: Omit<ServedRecord, 'served'>, before: ServedPrice, after: ServedPrice): ServedChange {
  const { station, fuel, source, observed, county, city, network } = record;
  const has = after.price !== null;
  return {
    ...{ station, fuel, kind: kindOf(before, after), before, after },
    source: has ? source : null,
    observed: has ? observed : null,
    ...{ county, city, network },
  };
}

function kindOf(before: ServedPrice, after: ServedPrice): PriceChangeKind {
  if (before.price === after.price) return 'flag';
  if (after.price === null) return 'withdrawn';
  return before.price === null ? 'returned' : 'price';
}

const NO_PRICE: ServedPrice = { price: null, reason: null };

function stationChange(
  kind: 'station added' | 'station removed',
  station: string,
  { county, city, network }: ChangePlace,
): ServedChange {
  const nothing = { fuel: null, before: NO_PRICE, after: NO_PRICE, source: null, observed: null };
  return { station, kind, ...nothing, county, city, network };
}
