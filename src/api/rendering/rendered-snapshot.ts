/**
 * One publication as the API serves it: the snapshot and the bodies made from it. Whoever holds an edition sees one
 * publication only, whatever is swapped in meanwhile.
 */

import { WITHOUT_KEY } from '../../domain/access/plans.ts';
import type { Fuel, RoadFuel } from '../../domain/fuel.ts';
import type { Point } from '../../domain/point.ts';
import type { Line } from '../../domain/roads/line.ts';
import { PricedStations } from '../../snapshot/priced-stations.ts';
import type { RoadPrices, ServedStation, Snapshot } from '../../snapshot/snapshot.ts';
import {
  cityRecord,
  countyFields,
  envelope,
  type MissingAs,
  nationalBuckets,
  networkRecord,
} from '../contract/contract.ts';
import { MESSAGES } from '../contract/messages.ts';
import { Body } from '../encoding/body.ts';
import { KeptBodies } from './body-cache.ts';
import { HistoryAnswers } from './history-answer.ts';
import { oneCharacterPerByte, RecordBytes } from './record-bytes.ts';
import { type RecordFilter, StationSearch } from './station-search.ts';

/** Sizes of the public subsets. Source: API contract, "Limits". */
const { cities: PUBLIC_CITIES, records: PUBLIC_RECORDS } = WITHOUT_KEY;

/** Largest radius of the geo filter. Source: API contract, "Limits". */
export const MAX_RADIUS_KM = 50;

/** Plain bytes of filtered answers kept a publication. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** The same of histories: of 2,000 stations over 30 days about 3 MB. */
const KEPT_HISTORY_BYTES = 6 * 1024 * 1024;
/** The same of searches around points that are asked for again: a town's centre, a favourite. */
const KEPT_SEARCH_BYTES = 6 * 1024 * 1024;

const NO_PRICES: RoadPrices = { petrol: null, petrol_premium: null, diesel: null, diesel_premium: null, lpg: null };

/** The texts of `distanta_km`, 2 decimals, by hundredths of a km: number formatting is what a search spends most on. */
const DISTANCE_FIELDS = Array.from({ length: MAX_RADIUS_KM * 100 + 1 }, (_, i) =>
  oneCharacterPerByte(`,"distanta_km":${i / 100}`),
);
const distanceField = (km: number) => DISTANCE_FIELDS[Math.round(km * 100)] as string;

type Near = { readonly point: Point; readonly radiusKm: number };

export type StationQuery = {
  /** As sent; `''` = any. */
  readonly brand: string;
  readonly fuel: Fuel | undefined;
  readonly near: Near | null;
  readonly full: boolean;
};

export class Edition {
  readonly snapshot: Snapshot;
  readonly #histories: HistoryAnswers;
  readonly #records: RecordBytes;
  readonly #search: StationSearch;
  readonly #priced: PricedStations;
  readonly #bodies = new KeptBodies(KEPT_BYTES);
  readonly #historyBodies = new KeptBodies(KEPT_HISTORY_BYTES);
  readonly #searches = new KeptBodies(KEPT_SEARCH_BYTES);
  /** By id, made when the first one is asked for. */
  #stations: ReadonlyMap<string, ServedStation> | undefined;
  /** What every aggregate answer begins with, up to the comma after the last shared field: ASCII. */
  readonly #opening: string;

  private constructor(snapshot: Snapshot, records: RecordBytes, search: StationSearch) {
    this.snapshot = snapshot;
    this.#histories = new HistoryAnswers(snapshot.today);
    this.#records = records;
    this.#search = search;
    this.#priced = new PricedStations(snapshot.records);
    this.#opening = `${JSON.stringify(envelope(snapshot)).slice(0, -1)},`;
  }

  /** Renders what all answers are put together from, without holding up the event loop. */
  static async of(snapshot: Snapshot): Promise<Edition> {
    const { records } = snapshot;
    return new Edition(snapshot, await RecordBytes.of(records), await StationSearch.of(records));
  }

  /** `/preturi`: the cities, of one county (plate code) or all, and the networks. */
  cities({ county, missing, full }: { county: string | null; missing: MissingAs; full: boolean }): Body {
    return this.#bodies.get(`cities ${county} ${missing} ${full}`, () => {
      const { cities } = this.snapshot;
      const all = county === null ? cities : cities.filter((city) => city.county === county);
      const shown = full ? all : all.slice(0, PUBLIC_CITIES);
      return this.#closed({
        total: shown.length,
        rezultate: shown.map((city) => cityRecord(city, missing)),
        ...this.#networkFields(missing),
        ...(!full && { nota: MESSAGES.topCities(PUBLIC_CITIES, all.length) }),
      });
    });
  }

  /** `/preturi/minime`. */
  national(missing: MissingAs): Body {
    return this.#bodies.get(`national ${missing}`, () =>
      this.#closed({ preturi_lipsa: missing, preturi: nationalBuckets(this.snapshot.national, missing) }),
    );
  }

  /** `/judete/{judet}`, by the plate code of a county that exists. */
  county(code: string, missing: MissingAs): Body {
    return this.#bodies.get(`county ${code} ${missing}`, () => {
      const county = this.snapshot.counties.get(code) ?? { code, cities: 0, prices: NO_PRICES };
      return this.#closed({ ...countyFields(county, missing), preturi_lipsa: missing });
    });
  }

  /** `/retele`. */
  networks(missing: MissingAs): Body {
    return this.#bodies.get(`networks ${missing}`, () => this.#closed(this.#networkFields(missing)));
  }

  /** `/statie/{station_id}/istoric`, to be made when it may be had; `null` = an unknown station, or one without history. */
  history(id: string, days: number): (() => Body) | null {
    const known = this.snapshot.history(id);
    if (!known) return null;
    return () =>
      this.#historyBodies.get(`${days} ${id}`, () =>
        Body.onceOfBytes(oneCharacterPerByte(this.#histories.of(id, known, days))),
      );
  }

  /** `/statii`. */
  stations({ brand, fuel, near, full }: StationQuery): Body {
    const network = brand === '' ? undefined : this.#search.networkOf(brand);
    const filter = { ...(network !== undefined && { network }), ...(fuel && { fuel }) };
    if (near === null) {
      return this.#bodies.get(`stations ${network === undefined ? '*' : (network ?? '?')} ${fuel} ${full}`, () =>
        this.#spread(this.#search.matching(filter), full),
      );
    }
    const { point, radiusKm } = near;
    return this.#searches.getRepeated(`${point.lat} ${point.lng} ${radiusKm} ${network} ${fuel} ${full}`, () =>
      this.#nearby(near, filter, full),
    );
  }

  /** A station by its id, if it is served. */
  station(id: string): ServedStation | undefined {
    this.#stations ??= new Map(this.snapshot.records.map(({ station }) => [station.id, station]));
    return this.#stations.get(id);
  }

  /** For `/traseu/custom`: stations with a relied-on price of a fuel along a line, cheapest first, then nearest. */
  along(line: Line, fuel: RoadFuel, radiusKm: number): ReturnType<PricedStations['along']> {
    return this.#priced.along(line, fuel, radiusKm);
  }

  #nearby({ point, radiusKm }: Near, filter: RecordFilter, full: boolean): Body {
    const { records, km } = this.#search.near(point, radiusKm, filter);
    const shown = full ? records : records.slice(0, PUBLIC_RECORDS);
    const distances = shown.map((_, place) => distanceField(km[place] as number));
    const { head, tail } = this.#stationFrame(shown.length, records.length);
    return Body.onceOfBytes(this.#records.someWith(distances, head, shown, tail));
  }

  /** Decision 22: the public sample is an even spread over the order, record ⌊i·n/150⌋. */
  #spread(found: readonly number[], full: boolean): Body {
    const shown =
      full || found.length <= PUBLIC_RECORDS
        ? found
        : Array.from(
            { length: PUBLIC_RECORDS },
            (_, i) => found[Math.floor((i * found.length) / PUBLIC_RECORDS)] as number,
          );
    const { head, tail } = this.#stationFrame(shown.length, found.length);
    return Body.kept(Buffer.from(this.#records.some(head, shown, tail), 'latin1'));
  }

  /** One character per byte. */
  #stationFrame(shown: number, available: number): { head: string; tail: string } {
    const cut = shown < available;
    const rest = cut ? { total_disponibil: available, nota: MESSAGES.sample(shown, available) } : {};
    return {
      head: `${this.#opening}"total":${shown},"statii":[`,
      tail: cut ? oneCharacterPerByte(`],${JSON.stringify(rest).slice(1)}`) : ']}',
    };
  }

  #networkFields(missing: MissingAs) {
    return {
      retele: this.snapshot.networks.map((network) => networkRecord(network, missing)),
      preturi_lipsa: missing,
    };
  }

  #closed(fields: Record<string, unknown>): Body {
    return Body.kept(this.#opening + JSON.stringify(fields).slice(1));
  }
}
