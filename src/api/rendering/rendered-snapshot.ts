/**
 * One snapshot as the API serves it, with the bodies rendered from it. A request that holds a rendered snapshot sees
 * only that one, even if a newer one replaces it meanwhile.
 */

import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import type { Fuel, RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import type { Polyline } from '../../domain/roads/line.ts';
import { PricedStations } from '../../snapshot/priced-stations.ts';
import { NO_PRICES, type ServedStation, type Snapshot, type StationRecord } from '../../snapshot/snapshot.ts';
import {
  answerEnvelope,
  cityRecord,
  countyFields,
  type MissingAs,
  nationalBuckets,
  networkRecord,
} from '../contract/contract.ts';
import { MESSAGES } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import { BodyCache } from './body-cache.ts';
import { HistoryRenderer } from './history-renderer.ts';
import { RenderedRecords, utf8AsLatin1 } from './rendered-records.ts';
import { type RecordFilter, StationSearch } from './station-search.ts';

/** Sizes of the public subsets. Source: API contract, "Limits". */
const { cities: PUBLIC_CITIES, records: PUBLIC_RECORDS } = ANONYMOUS_LIMITS;

/** Largest radius of the geo filter. Source: API contract, "Limits". */
export const MAX_RADIUS_KM = 50;

/** Plain bytes of filtered answers cached per snapshot. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Likewise for histories: 2,000 stations over 30 days need about 3 MB. */
const HISTORY_CACHE_BYTES = 6 * 1024 * 1024;
/** Likewise for searches around points that recur: a town's centre, a favourite. */
const SEARCH_CACHE_BYTES = 6 * 1024 * 1024;

/** The texts of `distanta_km`, 2 decimals, by hundredths of a km: number formatting is the largest cost of a search. */
const DISTANCE_FIELDS = Array.from({ length: MAX_RADIUS_KM * 100 + 1 }, (_, i) =>
  utf8AsLatin1(`,"distanta_km":${i / 100}`),
);
const distanceField = (km: number) => DISTANCE_FIELDS[Math.round(km * 100)] as string;

type GeoFilter = { readonly point: Point; readonly radiusKm: number };

export type StationQuery = {
  /** As sent; `''` = any. */
  readonly brand: string;
  readonly fuel: Fuel | undefined;
  readonly geoFilter: GeoFilter | null;
  readonly fullSet: boolean;
};

export class RenderedSnapshot {
  readonly snapshot: Snapshot;
  readonly #historyRenderer: HistoryRenderer;
  readonly #records: RenderedRecords;
  readonly #search: StationSearch;
  readonly #pricedStations: PricedStations;
  readonly #bodies = new BodyCache(CACHE_BYTES);
  readonly #historyBodies = new BodyCache(HISTORY_CACHE_BYTES);
  readonly #searchBodies = new BodyCache(SEARCH_CACHE_BYTES);
  /** Where the records of each station begin, by its id: they are adjacent. Created on first use. */
  #firstRecords: ReadonlyMap<string, number> | undefined;
  /** The start of every aggregate answer, up to the comma after the last shared field: ASCII. */
  readonly #envelopeStart: string;

  private constructor(snapshot: Snapshot, records: RenderedRecords, search: StationSearch) {
    this.snapshot = snapshot;
    this.#historyRenderer = new HistoryRenderer(snapshot.today);
    this.#records = records;
    this.#search = search;
    this.#pricedStations = new PricedStations(snapshot.records);
    this.#envelopeStart = `${JSON.stringify(answerEnvelope(snapshot)).slice(0, -1)},`;
  }

  /** Renders the parts that all answers are built from, without blocking the event loop. */
  static async render(snapshot: Snapshot): Promise<RenderedSnapshot> {
    const { records } = snapshot;
    return new RenderedSnapshot(snapshot, await RenderedRecords.render(records), await StationSearch.build(records));
  }

  /** `/preturi`: the cities, of one county (plate code) or all, and the networks. */
  cities({ county, missing, full: fullSet }: { county: string | null; missing: MissingAs; full: boolean }): Body {
    return this.#bodies.get(`cities ${county} ${missing} ${fullSet}`, () => {
      const { cities } = this.snapshot;
      const all = county === null ? cities : cities.filter((city) => city.county === county);
      const shown = fullSet ? all : all.slice(0, PUBLIC_CITIES);
      return this.#withEnvelope({
        total: shown.length,
        rezultate: shown.map((city) => cityRecord(city, missing)),
        ...this.#networkFields(missing),
        ...(!fullSet && { nota: MESSAGES.citiesTruncated(PUBLIC_CITIES, all.length) }),
      });
    });
  }

  /** `/preturi/minime`. */
  national(missing: MissingAs): Body {
    return this.#bodies.get(`national ${missing}`, () =>
      this.#withEnvelope({ preturi_lipsa: missing, preturi: nationalBuckets(this.snapshot.national, missing) }),
    );
  }

  /** `/judete/{judet}`, by the plate code of a county that exists. */
  county(code: string, missing: MissingAs): Body {
    return this.#bodies.get(`county ${code} ${missing}`, () => {
      const county = this.snapshot.counties.get(code) ?? { code, cities: 0, prices: NO_PRICES };
      return this.#withEnvelope({ ...countyFields(county, missing), preturi_lipsa: missing });
    });
  }

  /** `/retele`. */
  networks(missing: MissingAs): Body {
    return this.#bodies.get(`networks ${missing}`, () => this.#withEnvelope(this.#networkFields(missing)));
  }

  /**
   * `/statie/{station_id}/istoric`, rendered once access is granted; `null` = an unknown station, or one without
   * history.
   */
  history(id: string, days: number): (() => Body) | null {
    const known = this.snapshot.history(id);
    if (!known) return null;
    return () =>
      this.#historyBodies.get(`${days} ${id}`, () =>
        Body.singleUseLatin1(utf8AsLatin1(this.#historyRenderer.render(id, known, days))),
      );
  }

  /** `/statii`. */
  stations({ brand, fuel, geoFilter, fullSet }: StationQuery): Body {
    const network = brand === '' ? undefined : this.#search.networkSlug(brand);
    const filter = { ...(network !== undefined && { network }), ...(fuel && { fuel }) };
    if (geoFilter === null) {
      return this.#bodies.get(`stations ${network === undefined ? '*' : (network ?? '?')} ${fuel} ${fullSet}`, () =>
        this.#evenSample(this.#search.matching(filter), fullSet),
      );
    }
    const { point, radiusKm } = geoFilter;
    return this.#searchBodies.getCachingRepeats(
      `${point.lat} ${point.lng} ${radiusKm} ${network} ${fuel} ${fullSet}`,
      () => this.#nearby(geoFilter, filter, fullSet),
    );
  }

  /** A station by its id, if it is served. */
  station(id: string): ServedStation | undefined {
    return this.recordsOf(id)[0]?.station;
  }

  /** The records of a station; none if it is not served. */
  recordsOf(id: string): readonly StationRecord[] {
    const { records } = this.snapshot;
    // Of entries with the same key a map keeps the last: read from the end, that is the first record.
    this.#firstRecords ??= new Map(records.map(({ station }, at) => [station.id, at] as const).reverse());
    const first = this.#firstRecords.get(id);
    if (first === undefined) return [];
    let end = first;
    while (records[end]?.station.id === id) end += 1;
    return records.slice(first, end);
  }

  /** For `/traseu/custom`: stations with a trusted price of a fuel along a line, cheapest first, then nearest. */
  stationsAlong(line: Polyline, fuel: RoadFuel, radiusKm: number): ReturnType<PricedStations['along']> {
    return this.#pricedStations.along(line, fuel, radiusKm);
  }

  #nearby({ point, radiusKm }: GeoFilter, filter: RecordFilter, fullSet: boolean): Body {
    const { records, km } = this.#search.near(point, radiusKm, filter);
    const shown = fullSet ? records : records.slice(0, PUBLIC_RECORDS);
    const distances = shown.map((_, index) => distanceField(km[index] as number));
    const { head, tail } = this.#listEnvelope(shown.length, records.length);
    return Body.singleUseLatin1(this.#records.joinWithFields(distances, head, shown, tail));
  }

  /** Rule 22: the public sample is spread evenly over the order: record ⌊i·n/150⌋. */
  #evenSample(found: readonly number[], fullSet: boolean): Body {
    const shown =
      fullSet || found.length <= PUBLIC_RECORDS
        ? found
        : Array.from(
            { length: PUBLIC_RECORDS },
            (_, i) => found[Math.floor((i * found.length) / PUBLIC_RECORDS)] as number,
          );
    const { head, tail } = this.#listEnvelope(shown.length, found.length);
    return Body.shared(Buffer.from(this.#records.join(head, shown, tail), 'latin1'));
  }

  /** One character per byte. */
  #listEnvelope(shown: number, available: number): { head: string; tail: string } {
    const cut = shown < available;
    const rest = cut ? { total_disponibil: available, nota: MESSAGES.recordsSampled(shown, available) } : {};
    return {
      head: `${this.#envelopeStart}"total":${shown},"statii":[`,
      tail: cut ? utf8AsLatin1(`],${JSON.stringify(rest).slice(1)}`) : ']}',
    };
  }

  #networkFields(missing: MissingAs) {
    return {
      retele: this.snapshot.networks.map((network) => networkRecord(network, missing)),
      preturi_lipsa: missing,
    };
  }

  #withEnvelope(fields: Record<string, unknown>): Body {
    return Body.shared(this.#envelopeStart + JSON.stringify(fields).slice(1));
  }
}
