/**
 * One snapshot as the API serves it, with the bodies rendered from it. A request that holds a rendered snapshot sees
 * only that one, even if a newer one replaces it meanwhile.
 */

import { ANONYMOUS_LIMITS } from '../../domain/access/request-limits.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
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
import { utf8AsLatin1 } from './rendered-records.ts';
import type { ListFormat } from './station-list-formats.ts';
import { StationLists, type StationQuery } from './station-lists.ts';

/** Size of the public subset. Source: API contract, "Limits". */
const { cities: PUBLIC_CITIES } = ANONYMOUS_LIMITS;

/** Plain bytes of aggregate answers cached per snapshot. */
const CACHE_BYTES = 8 * 1024 * 1024;
/** Likewise for histories: 2,000 stations over 30 days need about 3 MB. */
const HISTORY_CACHE_BYTES = 6 * 1024 * 1024;

export class RenderedSnapshot {
  readonly snapshot: Snapshot;
  readonly #historyRenderer: HistoryRenderer;
  readonly #stationLists: StationLists;
  readonly #pricedStations: PricedStations;
  readonly #bodies = new BodyCache(CACHE_BYTES);
  readonly #historyBodies = new BodyCache(HISTORY_CACHE_BYTES);
  /** The start of every aggregate answer, up to the comma after the last shared field: ASCII. */
  readonly #envelopeStart: string;

  private constructor(snapshot: Snapshot, stationLists: StationLists) {
    this.snapshot = snapshot;
    this.#historyRenderer = new HistoryRenderer(snapshot.today);
    this.#stationLists = stationLists;
    this.#pricedStations = new PricedStations(snapshot.records);
    this.#envelopeStart = `${JSON.stringify(answerEnvelope(snapshot)).slice(0, -1)},`;
  }

  /** Renders the parts that all answers are built from, without blocking the event loop. */
  static async render(snapshot: Snapshot): Promise<RenderedSnapshot> {
    return new RenderedSnapshot(snapshot, await StationLists.render(snapshot));
  }

  /** `/preturi`: the cities, of one county (plate code) or all, and the networks. */
  cities({ county, missing, full: fullSet }: { county: string | null; missing: MissingAs; full: boolean }): Body {
    return this.#bodies.get(`cities ${county} ${missing} ${fullSet}`, () => {
      const { cities } = this.snapshot;
      const all = county === null ? cities : cities.filter((city) => city.county === county);
      const shown = fullSet ? all : all.slice(0, PUBLIC_CITIES);
      const note = shown.length === all.length ? MESSAGES.citiesWhole : MESSAGES.citiesTruncated;
      return this.#withEnvelope({
        total: shown.length,
        rezultate: shown.map((city) => cityRecord(city, missing)),
        ...this.#networkFields(missing),
        ...(!fullSet && { nota: note(PUBLIC_CITIES, all.length) }),
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

  /** `/statii`, as JSON or GeoJSON. */
  stations(query: StationQuery, format: Exclude<ListFormat, 'csv'> = 'json'): Body {
    return this.#stationLists.render(query, format);
  }

  /** `/statii` as CSV. */
  stationsCsv(query: StationQuery): Promise<Body> {
    return this.#stationLists.renderCsv(query);
  }

  /** How many records match what a list of `stations` or `stationsCsv` is of, although it may have fewer. */
  stationsTotal(list: Body): number {
    return this.#stationLists.total(list);
  }

  /** A station by its id, if it is served. */
  station(id: string): ServedStation | undefined {
    return this.recordsOf(id)[0]?.station;
  }

  /** The slug of the network that a brand means, by name or slug; `null` = none of this snapshot. */
  networkSlug(brand: string): string | null {
    return this.#stationLists.networkSlug(brand);
  }

  /** The slugs of the cities called so, by name, slug, or name and county. */
  citySlugs(city: string): readonly string[] {
    return this.#stationLists.citySlugs(city);
  }

  /** The records of a station; none if it is not served. */
  recordsOf(id: string): readonly StationRecord[] {
    return this.#stationLists.recordsOf(id);
  }

  /** For `/traseu/custom`: stations with a trusted price of a fuel along a line, cheapest first, then nearest. */
  stationsAlong(line: Polyline, fuel: RoadFuel, radiusKm: number): ReturnType<PricedStations['along']> {
    return this.#pricedStations.along(line, fuel, radiusKm);
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
