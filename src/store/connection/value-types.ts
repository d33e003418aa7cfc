import pg from 'pg';

const { builtins, getTypeParser } = pg.types;
const ARRAYS = { int8: 1016, date: 1182, timestamptz: 1185 };

type ValueParser = (text: string) => unknown;

const builtIn = (oid: number) => getTypeParser(oid) as ValueParser;
const instant: ValueParser = memoized((text) => Number(builtIn(builtins.TIMESTAMPTZ)(text)));
const day: ValueParser = (text) => text;

const PARSERS = new Map<number, ValueParser>([
  [builtins.INT8, Number],
  [builtins.TIMESTAMPTZ, instant],
  [builtins.DATE, day],
  [ARRAYS.int8, (text) => elements(text).map((element) => element && Number(element))],
  [ARRAYS.timestamptz, (text) => elements(text).map((element) => element && instant(element))],
  [ARRAYS.date, elements],
]);

/**
 * How values of the database are read: `bigint` as number, instants as epoch milliseconds, days as `YYYY-MM-DD`.
 * Given to each connection; the library's own table, which is shared by the whole process, is not touched.
 */
export const valueTypes = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS.get(oid)) || getTypeParser(oid, format)) as typeof getTypeParser,
};

/** `{a,NULL,b}`: the elements of these types contain neither commas nor escapes; instants are quoted. */
function elements(text: string): (string | null)[] {
  const inner = text.slice(1, -1);
  if (inner === '') return [];
  return inner.split(',').map((element) => (element === 'NULL' ? null : element.replaceAll('"', '')));
}

/** Row after row has the same instants: those of a few publications. Reading them is a third of reading a fact. */
function memoized(parse: ValueParser): ValueParser {
  const known = new Map<string, unknown>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) {
      if (known.size >= 100) known.clear();
      value = parse(text);
      known.set(text, value);
    }
    return value;
  };
}
