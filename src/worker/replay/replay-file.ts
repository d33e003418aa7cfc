/** The file of `replay --out`: a header line, then each day and its records. The same input gives the same bytes. */
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { PriceRanges } from '../../domain/fuel.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { jsonExcess } from '../../json/json-limits.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { linesOf } from '../../sources/archive/archive.ts';
import type { ServedDay, ServedPrice } from './served-day.ts';

const FORMAT = 'pompa-replay/1';

/** Everything that the records depend on. */
export type ReplayHeader = {
  readonly program: string;
  /** Identifies the state of the rules: another state may give other prices. */
  readonly rules: string;
  readonly from: string;
  readonly to: string;
  /** Sources whose archives were read. */
  readonly sources: readonly string[];
  /** `null` = all sources in the store. */
  readonly inService: readonly string[] | null;
  readonly ranges: PriceRanges;
};

/** A file that `replay` did not write, or that is truncated: the message is one clause. */
export class BadReplayFile extends Error {}

/** Writes the days as they come, under a temporary name until the file is complete. Returns the number of records. */
export async function writeReplayFile(
  path: string,
  header: ReplayHeader,
  days: AsyncIterable<ServedDay>,
): Promise<number> {
  const isSpecialFile = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
  let records = 0;
  async function* lines(): AsyncGenerator<string> {
    yield toLine({ format: FORMAT, ...header });
    for await (const day of days) {
      records += day.prices.length;
      yield linesOfDay(day);
    }
  }
  const write = (file: string) => pipeline(lines, createWriteStream(file));
  await (isSpecialFile ? write(path) : writeAtomically(path, write));
  return records;
}

/** Reads the header of a file, then its days in order. Rejects with `BadReplayFile`, also while reading the days. */
export async function readReplayFile(
  path: string,
): Promise<{ header: ReplayHeader; days: AsyncGenerator<ServedDay, void, void> }> {
  const objects = objectsOf(path);
  const { value } = await objects.next();
  if (value?.format !== FORMAT) {
    await objects.return();
    throw new BadReplayFile('it is no file of replay --out');
  }
  return { header: value as unknown as ReplayHeader, days: daysOf(objects) };
}

type JsonLine = Record<string, unknown>;

/** The header is the longest line: it has some kilobytes. */
const MAX_LINE_LENGTH = 100_000;
const LINE_LIMITS = { depth: 10, tokens: 10_000, members: 10_000 };
/** One for each station and fuel. */
const MAX_RECORDS_A_DAY = 200_000;

const toLine = (object: object) => `${JSON.stringify(object)}\n`;

function linesOfDay({ day, runs, leftOut, prices }: ServedDay): string {
  const head = toLine({ day, runs, records: prices.length, left_out: leftOut });
  return head + prices.map((price) => toLine({ day, ...price })).join('');
}

async function* daysOf(objects: AsyncGenerator<JsonLine, void, void>): AsyncGenerator<ServedDay, void, void> {
  for await (const head of objects) {
    const { day, runs, records, left_out } = head as { day: string; runs: number; records: number; left_out: string };
    if (typeof records !== 'number') throw new BadReplayFile('it is cut off');
    if (records > MAX_RECORDS_A_DAY) throw new BadReplayFile(`it has more than ${MAX_RECORDS_A_DAY} records a day`);
    const prices: ServedPrice[] = [];
    while (prices.length < records) {
      const { value } = await objects.next();
      if (value?.day !== day || !('fuel' in value)) throw new BadReplayFile(`it is truncated within ${day}`);
      const { day: _, ...price } = value;
      prices.push(price as ServedPrice);
    }
    yield { day, runs, leftOut: left_out, prices };
  }
}

async function* objectsOf(path: string): AsyncGenerator<JsonLine, void, void> {
  const file = createReadStream(path);
  try {
    for await (const line of linesOf(file, MAX_LINE_LENGTH)) {
      const value = tryParseJson(line.length > MAX_LINE_LENGTH || jsonExcess(line, LINE_LIMITS) !== null ? '' : line);
      if (typeof value !== 'object' || value === null) throw new Error('a line of it is not JSON of replay --out');
      yield value as JsonLine;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BadReplayFile(code === undefined ? `it is damaged: ${message}` : `it cannot be read: ${code}`);
  } finally {
    file.destroy();
  }
}
