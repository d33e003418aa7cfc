/** A list of station records as JSON, as GeoJSON (RFC 7946) and as CSV (RFC 4180). */
import { inSlices } from '../../concurrency/in-slices.ts';
import type { Snapshot, StationRecord } from '../../snapshot/snapshot.ts';
import { extendedFields, stationRecord } from '../contract/contract.ts';
import { csvHeader, csvRecord, csvRowEnd } from '../contract/station-csv.ts';
import { openRecord, type RenderedRecords, utf8AsLatin1 } from './rendered-records.ts';
import { MAX_RADIUS_KM, type StationSearch } from './station-search.ts';

/** The formats of a list of records. */
export type ListFormat = 'json' | 'geojson' | 'csv';

export type List = {
  /** By index, in order. */
  readonly records: readonly number[];
  /** The distance of each, if the request has a point. */
  readonly km?: readonly number[];
  /** Whether each has the fields of `campuri=extins`. */
  readonly extended: boolean;
};

/** The fields around the records, one character per byte. */
export type ListEnvelope = {
  /** From the first field to the comma after the last one. */
  readonly start: string;
  /** What follows the list, with the closing brace. */
  readonly end: string;
};

/** Records rendered before other work gets a turn: about 2 ms. */
const RECORDS_PER_SLICE = 500;

/** `distanta_km`, 2 decimals, by hundredths of a km: number formatting is the largest cost of a search. */
const DISTANCE_FIELDS = Array.from({ length: MAX_RADIUS_KM * 100 + 1 }, (_, i) =>
  utf8AsLatin1(`,"distanta_km":${i / 100}`),
);
const distanceField = (km: number) => DISTANCE_FIELDS[Math.round(km * 100)] as string;

export class StationListFormats {
  readonly #snapshot: Snapshot;
  readonly #records: RenderedRecords;
  readonly #search: StationSearch;
  readonly #extendedEnds = new Map<number, string>();
  #csvRecords: Promise<readonly string[]> | undefined;
  /** Resolved; empty until CSV is asked for. */
  #csv: readonly string[] = [];

  constructor(snapshot: Snapshot, records: RenderedRecords, search: StationSearch) {
    this.#snapshot = snapshot;
    this.#records = records;
    this.#search = search;
  }

  /** Renders the records as CSV, once and in slices. */
  async prepareCsv(): Promise<void> {
    this.#csvRecords ??= renderCsvRecords(this.#snapshot.records);
    this.#csv = await this.#csvRecords;
  }

  /** The whole answer, one character per byte. CSV needs `prepareCsv` before. */
  render(format: ListFormat, list: List, envelope: ListEnvelope): string {
    switch (format) {
      case 'json':
        return this.#json(list, envelope);
      case 'geojson':
        return this.#geoJson(list, envelope);
      case 'csv':
        return this.#csvText(list);
    }
  }

  #json(list: List, { start, end }: ListEnvelope): string {
    const { records, km, extended } = list;
    const head = `{${start}"statii":[`;
    const tail = `]${end}`;
    if (extended) return `${head}${records.map((_, at) => this.#object(list, at)).join(',')}${tail}`;
    if (km === undefined) return this.#records.join(head, records, tail);
    return this.#records.joinWithFields(km.map(distanceField), head, records, tail);
  }

  #geoJson(list: List, { start, end }: ListEnvelope): string {
    const features = list.records.map((index, at) => {
      const { lat, lng } = this.#search.recordAt(index).station;
      const geometry = `{"type":"Point","coordinates":[${lng},${lat}]}`;
      return `{"type":"Feature","geometry":${geometry},"properties":${this.#object(list, at)}}`;
    });
    return `{"type":"FeatureCollection",${start}"features":[${features.join(',')}]${end}`;
  }

  #csvText(list: List): string {
    const { records, km, extended } = list;
    const rows = records.map((index, at) => {
      const distance = km === undefined ? {} : { distanta_km: Math.round((km[at] as number) * 100) / 100 };
      return (
        this.#csvRecord(index) + csvRowEnd({ ...distance, ...(extended && this.#extendedFields(index)) }, extended)
      );
    });
    return csvHeader(extended) + rows.join('');
  }

  /** One record as a JSON object. */
  #object({ records, km, extended }: List, at: number): string {
    const index = records[at] as number;
    const record = this.#search.lacksRecord(index)
      ? openRecord(this.#search.recordAt(index))
      : this.#records.text(index);
    const distance = km === undefined ? '' : distanceField(km[at] as number);
    return record + distance + (extended ? this.#extendedEnd(index) : '}');
  }

  /** The end of a record with its extended fields, rendered once. */
  #extendedEnd(index: number): string {
    const known = this.#extendedEnds.get(index);
    if (known !== undefined) return known;
    const end = `,${JSON.stringify(this.#extendedFields(index)).slice(1)}`;
    this.#extendedEnds.set(index, end);
    return end;
  }

  #csvRecord(index: number): string {
    if (this.#search.lacksRecord(index)) return renderCsvRecord(this.#search.recordAt(index));
    return this.#csv[index] as string;
  }

  #extendedFields(index: number): ReturnType<typeof extendedFields> {
    const record = this.#search.recordAt(index);
    const isUnsold = this.#search.lacksRecord(index) && !this.#isNamedByLocator(record);
    return extendedFields(record, this.#snapshot.today, isUnsold);
  }

  /** A locator makes no records of stations that another source has, but it knows what they sell. */
  #isNamedByLocator({ station, fuel }: StationRecord): boolean {
    return this.#snapshot.locatorFuels.get(station.id)?.has(fuel) ?? false;
  }
}

async function renderCsvRecords(records: readonly StationRecord[]): Promise<readonly string[]> {
  const rendered: string[] = [];
  for await (const slice of inSlices(records, RECORDS_PER_SLICE)) {
    for (const record of slice) rendered.push(renderCsvRecord(record));
  }
  return rendered;
}

function renderCsvRecord(record: StationRecord): string {
  return utf8AsLatin1(csvRecord(stationRecord(record)));
}
