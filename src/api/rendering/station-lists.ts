/** The answers of `/statii`: which records, in which order, how many, and in which format. */
import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import type { Fuel } from '../../domain/fuel.ts';
import type { BoundingBox, Point } from '../../domain/point.ts';
import type { Snapshot, StationRecord } from '../../snapshot/snapshot.ts';
import { answerEnvelope } from '../contract/contract.ts';
import { MESSAGES } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import { BodyCache } from './body-cache.ts';
import { RenderedRecords, utf8AsLatin1 } from './rendered-records.ts';
import { type ListEnvelope, type ListFormat, StationListFormats } from './station-list-formats.ts';
import { type RecordFilter, StationSearch } from './station-search.ts';

/** Size of the public subset. Source: API contract, "Limits". */
const { records: PUBLIC_RECORDS } = ANONYMOUS_LIMITS;

/** Plain bytes of lists cached per snapshot. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Likewise for questions of which there are any number, such as a point; cached once they recur. */
const REPEATS_CACHE_BYTES = 6 * 1024 * 1024;
/** The longest of these that is cached: a few lists of the whole country would displace all others. */
const LONGEST_REPEAT_BYTES = 500_000;

/** By price, cheapest first, or by distance, nearest first. */
export type ListOrder = 'price' | 'distance';

type GeoFilter = { readonly point: Point; readonly radiusKm: number };

/** What a request for station records asks for; `null` and `false` ask for nothing. */
export type StationQuery = {
  /** As sent; `''` = any. */
  readonly brand: string;
  readonly fuel: Fuel | undefined;
  readonly geoFilter: GeoFilter | null;
  readonly fullSet: boolean;
  readonly refinement?: StationRefinement;
};

/** What a request may ask for besides. */
export type StationRefinement = {
  readonly ids: readonly string[] | null;
  readonly box: BoundingBox | null;
  /** Plate code. */
  readonly county: string | null;
  /** Slugs. */
  readonly cities: readonly string[] | null;
  readonly priced: boolean;
  readonly undoubted: boolean;
  readonly maxAgeDays: number | null;
  readonly order: ListOrder | undefined;
  readonly limit: number | null;
  /** Whether records have the fields that only those who ask for them get. */
  readonly extended: boolean;
};

/** Records (by index) in the order of the answer, with their distances if the request has a point. */
type Selection = { readonly records: readonly number[]; readonly km?: readonly number[] };

export class StationLists {
  readonly #snapshot: Snapshot;
  readonly #search: StationSearch;
  readonly #formats: StationListFormats;
  /** The fields that start every answer, without braces: ASCII. */
  readonly #envelopeFields: string;
  /** Of questions of which there are few. */
  readonly #bodies = new BodyCache(CACHE_BYTES);
  readonly #repeatedBodies = new BodyCache(REPEATS_CACHE_BYTES, LONGEST_REPEAT_BYTES);

  private constructor(snapshot: Snapshot, records: RenderedRecords, search: StationSearch) {
    this.#snapshot = snapshot;
    this.#search = search;
    this.#formats = new StationListFormats(snapshot, records, search);
    this.#envelopeFields = JSON.stringify(answerEnvelope(snapshot)).slice(1, -1);
  }

  /** Renders the parts that all lists are built from, without blocking the event loop. */
  static async render(snapshot: Snapshot): Promise<StationLists> {
    const { records } = snapshot;
    return new StationLists(snapshot, await RenderedRecords.render(records), await StationSearch.build(records));
  }

  networkSlug(brand: string): string | null {
    return this.#search.networkSlug(brand);
  }

  citySlugs(city: string): readonly string[] {
    return this.#search.citySlugs(city);
  }

  /** The records of a station; none if it is not served. */
  recordsOf(id: string): readonly StationRecord[] {
    const range = this.#search.rangeOf(id);
    return range === null ? [] : this.#snapshot.records.slice(range.first, range.end);
  }

  /** The answer as JSON or GeoJSON. */
  render(query: StationQuery, format: Exclude<ListFormat, 'csv'> = 'json'): Body {
    return this.#cached(query, format);
  }

  /** The answer as CSV. */
  async renderCsv(query: StationQuery): Promise<Body> {
    await this.#formats.prepareCsv();
    return this.#cached(query, 'csv');
  }

  #cached(query: StationQuery, format: ListFormat): Body {
    const { geoFilter, fullSet, refinement } = query;
    const filter = this.#filter(query);
    const { order, limit, extended } = refinement ?? {};
    // Of what the words of a request mean, not of the words: they are as long as a client likes.
    const name = JSON.stringify([format, fullSet, filter, geoFilter, order, limit, extended]);
    const list = () => this.#list(query, filter, format);
    if (geoFilter === null && refinement === undefined) {
      return this.#bodies.get(name, () => Body.shared(Buffer.from(list(), 'latin1')));
    }
    return this.#repeatedBodies.getCachingRepeats(name, () => Body.singleUseLatin1(list()));
  }

  #list({ geoFilter, fullSet, refinement }: StationQuery, filter: RecordFilter, format: ListFormat): string {
    const found = this.#inOrder(this.#select(geoFilter, filter), refinement?.order);
    const asked = first(found, refinement?.limit ?? found.records.length);
    const isOrdered = geoFilter !== null || isFirstOfMany(refinement);
    const shown = fullSet ? asked : isOrdered ? first(asked, PUBLIC_RECORDS) : evenSample(asked, PUBLIC_RECORDS);
    const isCut = shown.records.length < asked.records.length;
    const envelope = this.#envelope(shown.records.length, isCut ? found.records.length : null);
    return this.#formats.render(format, { ...shown, extended: refinement?.extended ?? false }, envelope);
  }

  #filter({ brand, fuel, refinement }: StationQuery): RecordFilter {
    return {
      ...(brand !== '' && { network: this.#search.networkSlug(brand) }),
      ...(fuel && { fuel }),
      ...(refinement && this.#refine(refinement)),
    };
  }

  #select(geoFilter: GeoFilter | null, filter: RecordFilter): Selection {
    if (geoFilter === null) return { records: this.#search.matching(filter) };
    return this.#search.near(geoFilter.point, geoFilter.radiusKm, filter);
  }

  #refine({ ids, box, county, cities, priced, undoubted, maxAgeDays, extended }: StationRefinement): RecordFilter {
    return {
      ...(ids && { stations: this.#search.stationIndexes(ids) }),
      ...(box && { box }),
      ...(county && { county }),
      ...(cities && { cities }),
      priced,
      undoubted,
      ...(maxAgeDays !== null && { observedFrom: this.#snapshot.today - maxAgeDays }),
      withUnsold: extended && ids !== null,
    };
  }

  /** The records of a search are in the order of their distances already. */
  #inOrder(found: Selection, order: ListOrder | undefined): Selection {
    if (order !== 'price') return found;
    const ranks = found.records.map((index) => priceRank(this.#search.recordAt(index)));
    const places = [...ranks.keys()].sort((a, b) => (ranks[a] as number) - (ranks[b] as number));
    return pick(found, places);
  }

  /** `available`: the number to tell where the public subset left records out. One character per byte. */
  #envelope(shown: number, available: number | null): ListEnvelope {
    return {
      start: `${this.#envelopeFields},"total":${shown},`,
      end: available === null ? '}' : utf8AsLatin1(`,${JSON.stringify(cutFields(shown, available)).slice(1)}`),
    };
  }
}

const cutFields = (shown: number, available: number) => ({
  total_disponibil: available,
  nota: MESSAGES.recordsSampled(shown, available),
});

/**
 * A trusted price ranks by its amount, then come doubtful ones by theirs, which are in no ranking (rule 24), then
 * records without a price.
 */
function priceRank({ verdict }: StationRecord): number {
  if (!('fact' in verdict)) return 2 * MAX_PRICE;
  return verdict.kind === 'trusted' ? verdict.price : MAX_PRICE + verdict.price;
}

/** Above every price, thousandths of a RON. */
const MAX_PRICE = 1_000_000;

/** Whether the public subset of a list are its first records: a sample of what was named or ordered is of no use. */
const isFirstOfMany = (refinement: StationRefinement | undefined): boolean =>
  refinement !== undefined && (refinement.ids !== null || refinement.order !== undefined || refinement.limit !== null);

const first = ({ records, km }: Selection, count: number): Selection =>
  records.length <= count
    ? { records, ...(km && { km }) }
    : { records: records.slice(0, count), ...(km && { km: km.slice(0, count) }) };

/** Rule 22: the public sample is spread evenly over the order: record ⌊i·n/150⌋. */
const evenSample = (found: Selection, count: number): Selection =>
  found.records.length <= count
    ? found
    : pick(
        found,
        Array.from({ length: count }, (_, i) => Math.floor((i * found.records.length) / count)),
      );

const pick = ({ records, km }: Selection, places: readonly number[]): Selection => ({
  records: places.map((place) => records[place] as number),
  ...(km && { km: places.map((place) => km[place] as number) }),
});
