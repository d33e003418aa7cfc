/**
 * The station records of one snapshot as JSON, rendered once and only concatenated afterwards. They are stored as
 * strings with one character per UTF-8 byte: the engine joins such strings three times faster than it copies buffers.
 */
import { inSlices } from '../../concurrency/in-slices.ts';
import type { ServedStation, StationRecord } from '../../snapshot/snapshot.ts';
import { fuelPrice, observation, stationDetails, stationPlace } from '../contract/contract.ts';

/** Records rendered before other work gets a turn: about 1 ms. */
const RECORDS_PER_SLICE = 500;

export class RenderedRecords {
  /** Each record without its closing brace. */
  readonly #records: readonly string[];

  private constructor(records: readonly string[]) {
    this.#records = records;
  }

  /** Renders all records, yielding to the event loop between slices. */
  static async render(records: readonly StationRecord[]): Promise<RenderedRecords> {
    const rendered: string[] = [];
    for await (const slice of inSlices(records, RECORDS_PER_SLICE)) {
      rendered.push(...openRecords(slice));
    }
    return new RenderedRecords(rendered);
  }

  /** A record without its closing brace, one character per byte. */
  text(record: number): string {
    return this.#records[record] as string;
  }

  /** `head`, the chosen records separated by commas, `tail`: all with one character per byte. */
  join(head: string, chosen: readonly number[], tail: string): string {
    let list = '';
    for (const record of chosen) list += `${list === '' ? '' : '},'}${this.#records[record]}`;
    return enclose(head, list, tail);
  }

  /**
   * Like `join`, with one more field at the end of each record; `fields` start with a comma, in the order of `chosen`.
   */
  joinWithFields(fields: readonly string[], head: string, chosen: readonly number[], tail: string): string {
    let list = '';
    for (let index = 0; index < chosen.length; index += 1) {
      list += (index === 0 ? '' : '},') + this.#records[chosen[index] as number] + fields[index];
    }
    return enclose(head, list, tail);
  }
}

/** One record without its closing brace, one character per byte. */
export function openRecord(record: StationRecord): string {
  const { place, details } = stationTexts.getOrInsertComputed(record.station, toStationTexts);
  return `{${place},${members(fuelPrice(record))},${details}${members(observation(record))}`;
}

/**
 * The same of several records, as slices of one text: a text of 500 records is too large for the garbage collector to
 * copy, while it copies short ones twice.
 */
function openRecords(records: readonly StationRecord[]): string[] {
  // JSON without indentation has no line breaks.
  return records.map(openRecord).join('\n').split('\n');
}

type StationTexts = { readonly place: string; readonly details: string };

/** Most publications change prices alone: the rest of a record is rendered once for a station. */
const stationTexts = new WeakMap<ServedStation, StationTexts>();

function toStationTexts(station: ServedStation): StationTexts {
  const details = members(stationDetails(station));
  return { place: members(stationPlace(station)), details: details === '' ? '' : `${details},` };
}

/** The members of an object as JSON, without its braces, one character per byte. */
function members(object: object): string {
  return utf8AsLatin1(JSON.stringify(object).slice(1, -1));
}

/** `list` lacks the closing brace of its last record. */
function enclose(head: string, list: string, tail: string): string {
  return `${head}${list}${list === '' ? '' : '}'}${tail}`;
}

/** The UTF-8 bytes of a text as a flat string: joining strings that are not flat costs ten times more. */
export function utf8AsLatin1(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isAscii) return text;
  return Buffer.from(text).toString('latin1');
}
