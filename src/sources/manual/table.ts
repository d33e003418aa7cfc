/** Files of `import`: CSV (RFC 4180, header line) or a JSON array of objects, both as rows of named texts. */
import { parse } from 'csv-parse/sync';

/** One row as given, with the place to name when it is bad: the line of a CSV file, the element of a JSON array. */
export type RawRow = { readonly where: string; readonly values: Readonly<Record<string, string>> };

/** What is wrong with a file, a sentence a row; nothing of it was taken. */
export class BadFile extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? (problems[0] as string) : `${problems.length} rows are bad`);
    this.problems = problems;
  }
}

/** Reads the rows of a file by its extension. `columns` are the names it may have, `required` those it must. */
export function readTable(
  fileName: string,
  content: string,
  columns: readonly string[],
  required: readonly string[],
): RawRow[] {
  const text = content.replace(/^\uFEFF/, '');
  const rows = /\.json$/i.test(fileName) ? readJson(text) : /\.csv$/i.test(fileName) ? readCsv(text) : null;
  if (rows === null) throw new BadFile([`${fileName} must end in .csv or .json`]);
  if (rows.length === 0) throw new BadFile([`${fileName} holds no row`]);
  const problems = rows.flatMap(({ where, values }) => {
    const stranger = Object.keys(values).find((name) => !columns.includes(name));
    if (stranger !== undefined)
      return [`${where}: no column is called "${stranger}"; the columns are ${columns.join(', ')}`];
    const missing = required.filter((name) => (values[name] ?? '') === '');
    return missing.length > 0 ? [`${where}: ${missing.join(', ')} must be given`] : [];
  });
  if (problems.length > 0) throw new BadFile(problems);
  return rows;
}

function readCsv(text: string): RawRow[] {
  try {
    const rows = parse(text, { columns: true, info: true, skip_empty_lines: true, trim: true }) as unknown as {
      record: Record<string, string>;
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({ where: `line ${info.lines}`, values: record }));
  } catch (error) {
    throw new BadFile([`the CSV cannot be read: ${(error as Error).message}`]);
  }
}

function readJson(text: string): RawRow[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new BadFile([`the JSON cannot be read: ${(error as Error).message}`]);
  }
  if (!Array.isArray(parsed)) throw new BadFile(['the JSON must be an array of objects']);
  return parsed.map((element: unknown, index) => {
    const where = `element ${index + 1}`;
    if (element === null || typeof element !== 'object' || Array.isArray(element)) {
      throw new BadFile([`${where} must be an object`]);
    }
    return { where, values: Object.fromEntries(Object.entries(element).map(([name, value]) => [name, asText(value)])) };
  });
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(asText).join(';');
  return typeof value === 'string' ? value.trim() : typeof value === 'object' ? JSON.stringify(value) : String(value);
}
