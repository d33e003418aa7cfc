/** A JSON list: an array of objects, at the top level or where the map says. */
import { isObject } from '../../json/is-object.ts';
import { cleanText } from '../feed/fields.ts';
import { SourceFailed } from '../source.ts';
import {
  asCell,
  type Cell,
  type ListTable,
  type PriceListColumn,
  requireColumns,
  requireRows,
  type WantedColumn,
} from './list-table.ts';

/** Parses the rows; `path` is dotted. Throws `SourceFailed` if there is no such array or it lacks a column. */
export function readJson(
  text: string,
  path: string | null,
  wanted: readonly WantedColumn[],
  brandImplied: boolean,
): ListTable {
  const elements = arrayAt(parseJson(text), path);
  requireRows(elements.length);
  const objects = elements.filter(isObject);
  const found = new Set<PriceListColumn>();
  const rows = objects.map((object) =>
    wanted.map(({ column, from }): Cell => {
      const value = valueAt(object, from);
      if (value !== undefined) found.add(column);
      return asCell(value);
    }),
  );
  requireColumns(wanted, found, { brandImplied, allPrices: false, names: Object.keys(objects[0] ?? {}) });
  const broken = elements
    .filter((element) => !isObject(element))
    .map((element) => ({ reason: 'no_object', sample: kindOf(element) }));
  return { columns: wanted.map(({ column }) => column), found, rows, broken };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SourceFailed(`the JSON cannot be read: ${cleanText((error as Error).message)}`);
  }
}

function arrayAt(value: unknown, path: string | null): readonly unknown[] {
  const found = path === null ? value : valueAt(value, path);
  if (Array.isArray(found)) return found;
  if (path !== null) {
    const names = isObject(value) ? `; it has ${namesOf(value)}` : '';
    throw new SourceFailed(`the JSON has no array at "${path}" ("rows" of PRICES_MAP) but ${kindOf(found)}${names}`);
  }
  const advice = isObject(value) ? ` with ${namesOf(value)}; "rows" of PRICES_MAP can name the array within` : '';
  throw new SourceFailed(`the JSON is not an array of rows but ${kindOf(value)}${advice}`);
}

function namesOf(value: object): string {
  return cleanText(Object.keys(value).slice(0, 12).join(', ')) || 'no members';
}

/** The member with exactly that name, else the one at the dotted path. */
function valueAt(value: unknown, path: string): unknown {
  const exact = ownMember(value, path);
  if (exact !== undefined || !path.includes('.')) return exact;
  return path.split('.').reduce(ownMember, value);
}

function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return value === null ? 'null' : 'an object';
  return `${typeof value === 'string' ? 'the text' : 'the value'} ${cleanText(String(value).slice(0, 60))}`;
}
