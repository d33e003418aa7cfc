/** Files of `import`: CSV (RFC 4180, header line) or a JSON array of objects, both parsed into rows of named texts. */
import { parse } from 'csv-parse/sync';
import { jsonExcess } from '../../json/json-limits.ts';

/** One row as given; `where` locates it in messages: the line of a CSV file, the element of a JSON array. */
export type RawRow = { readonly where: string; readonly values: Readonly<Record<string, string>> };

/** A row that is refused, and why. */
export type BadRow = { readonly where: string; readonly problem: string };

export function isBadRow(row: object): row is BadRow {
  return 'problem' in row;
}

/** The sentence for a bad row. */
export function badRowText({ where, problem }: BadRow): string {
  return `${where}: ${problem}`;
}

/** A file is refused as a whole; one sentence per problem. */
export class BadFile extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? (problems[0] as string) : `${problems.length} rows are bad`);
    this.problems = problems;
  }
}

/** The rows of a file take up to 700 MB in memory within these limits. */
const MAX_ROWS = 250_000;
const MAX_VALUES = 4_000_000;
const MAX_VALUE_LENGTH = 10_000;
/** An object in the list, and a list of services or fuels in it. */
const MAX_DEPTH = 3;

/** Parses the rows of a file by its extension. `columns` are the allowed names, `required` the mandatory ones. */
export function readTable(
  fileName: string,
  content: string,
  columns: readonly string[],
  required: readonly string[],
): (RawRow | BadRow)[] {
  const text = content.replace(/^\uFEFF/, '');
  const rows = /\.json$/i.test(fileName) ? readJson(text) : /\.csv$/i.test(fileName) ? readCsv(text) : null;
  if (rows === null) throw new BadFile([`${fileName} must end in .csv or .json`]);
  if (rows.length === 0) throw new BadFile([`${fileName} has no rows`]);
  return rows.map((row) => {
    if (isBadRow(row)) return row;
    const { where, values } = row;
    if (Object.values(values).some((value) => value.length > MAX_VALUE_LENGTH)) {
      return { where, problem: `a value is longer than ${MAX_VALUE_LENGTH} characters` };
    }
    const unknownColumn = Object.keys(values).find((name) => !columns.includes(name));
    if (unknownColumn !== undefined) {
      return {
        where,
        problem: `unknown column "${unknownColumn.slice(0, 60)}"; the columns are ${columns.join(', ')}`,
      };
    }
    const missing = required.filter((name) => (values[name] ?? '') === '');
    return missing.length > 0 ? { where, problem: `${missing.join(', ')} must be set` } : row;
  });
}

function readCsv(text: string): (RawRow | BadRow)[] {
  const [header, ...records] = parseCsv(text);
  if (header === undefined) return [];
  const duplicate = header.cells.find((name, index) => header.cells.indexOf(name) < index);
  if (duplicate !== undefined)
    throw new BadFile([`line ${header.line}: the column "${duplicate.slice(0, 60)}" occurs twice`]);
  return records.map(({ cells, line }) => {
    const where = `line ${line}`;
    if (cells.length !== header.cells.length) {
      return { where, problem: `${cells.length} columns, but the header line has ${header.cells.length}` };
    }
    return { where, values: Object.fromEntries(header.cells.map((name, index) => [name, cells[index] as string])) };
  });
}

function parseCsv(text: string): { cells: string[]; line: number }[] {
  const lines = Math.max(countOf(text, '\n'), countOf(text, '\r'));
  if (lines > MAX_ROWS) throw new BadFile([`it has more than ${MAX_ROWS} lines: split it`]);
  if (countOf(text, ',') > MAX_VALUES) throw new BadFile([`it has more than ${MAX_VALUES} values: split it`]);
  try {
    const records = parse(text, { info: true, relax_column_count: true, skip_empty_lines: true, trim: true });
    return (records as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      cells: record,
      line: info.lines,
    }));
  } catch (error) {
    throw new BadFile([`the CSV cannot be read: ${(error as Error).message.slice(0, 200)}`]);
  }
}

function countOf(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}

function readJson(text: string): (RawRow | BadRow)[] {
  const excess = jsonExcess(text, { depth: MAX_DEPTH, tokens: MAX_VALUES, members: MAX_VALUES });
  if (excess === 'depth') throw new BadFile(['the JSON must be an array of objects; values in them are no objects']);
  if (excess !== null) throw new BadFile([`it has more than ${MAX_VALUES} values: split it`]);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new BadFile([`the JSON cannot be read: ${(error as Error).message}`]);
  }
  if (!Array.isArray(parsed)) throw new BadFile(['the JSON must be an array of objects']);
  if (parsed.length > MAX_ROWS) throw new BadFile([`it has more than ${MAX_ROWS} elements: split it`]);
  return parsed.map((element: unknown, index) => {
    const where = `element ${index + 1}`;
    if (element === null || typeof element !== 'object' || Array.isArray(element)) {
      return { where, problem: 'it must be an object' };
    }
    return { where, values: Object.fromEntries(Object.entries(element).map(([name, value]) => [name, asText(value)])) };
  });
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(asText).join(';');
  return typeof value === 'string' ? value.trim() : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
