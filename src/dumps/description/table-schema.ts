/** The columns of a table as Table Schema (Data Package 2.0). */
import { LICENCE } from '../../domain/service-identity.ts';
import type { AnyTable, Column, ColumnType } from '../table.ts';

/** How CSV spells a type, where that is not the default of Table Schema. */
const FORMAT: Readonly<Partial<Record<ColumnType, string>>> = { datetime: 'any' };

export function tableSchema({ name, title, about, columns, key }: AnyTable): object {
  return {
    $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
    name,
    title: `${title.ro} / ${title.en}`,
    description: `${about.ro} / ${about.en}`,
    license: LICENCE.url,
    primaryKey: key,
    missingValues: [''],
    fields: columns.map(fieldOf),
  };
}

function fieldOf({ name, type, meaning, required }: Column<never>): object {
  return {
    ...{ name, type, ...(FORMAT[type] && { format: FORMAT[type] }) },
    description: `${meaning.ro} / ${meaning.en}`,
    ...(required && { constraints: { required: true } }),
  };
}
