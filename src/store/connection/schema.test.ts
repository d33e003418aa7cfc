/** `schema.ts` describes the tables that the migrations create: each table, each column, and which may be null. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { withoutComments } from '../../../test/project/project-files.ts';
import { type TestDatabase, testDatabase } from '../../../test/support/database/test-database.ts';
import { FUELS } from '../../domain/fuel.ts';

/** Created by migrations.ts, before there is a schema. */
const OWN_TABLES = ['schema_migrations'];

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

/** `table.column`, followed by ` null` where the column may be null. */
async function columnsOfDatabase(): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name || '.' || column_name || case is_nullable when 'YES' then ' null' else '' end as name
    from information_schema.columns where table_schema = 'public' and table_name <> all ($1)`,
    [OWN_TABLES],
  );
  return rows.map(({ name }) => name).sort();
}

function columnsOf(source: string): string[] {
  const [, body = ''] = withoutComments(source).split(/export type \w*Schema = (?:OtherTables & )?\{/);
  return members(body.slice(0, endOfBlock(body)))
    .flatMap(([table, type]) =>
      splitAtTopLevel(type, '&')
        .flatMap(columnsIn)
        .map(([column, columnType]) => `${table}.${column}${isNullable(columnType) ? ' null' : ''}`),
    )
    .sort();
}

/** The columns of an object type, or of one with a column for each fuel. */
function columnsIn(type: string): [string, string][] {
  const [, perFuel] = /^Record<Fuel, (.*)>$/.exec(type) ?? [];
  return perFuel === undefined ? members(type.slice(1, -1)) : FUELS.map((fuel) => [fuel, perFuel]);
}

/** The members of an object type: name and type. */
function members(body: string): [string, string][] {
  return splitAtTopLevel(body, ';').map((member) => {
    const colon = member.indexOf(':');
    return [member.slice(0, colon).trim(), member.slice(colon + 1).trim()];
  });
}

function isNullable(type: string): boolean {
  const [, outer, inner = ''] = /^(Generated|ColumnType)<(.*)>$/s.exec(type) ?? [];
  if (outer !== undefined) return isNullable(splitAtTopLevel(inner, ',')[0] as string);
  return type === 'MaybeInstant' || splitAtTopLevel(type, '|').includes('null');
}

function splitAtTopLevel(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    depth += '{[(<'.includes(character) ? 1 : '}])>'.includes(character) ? -1 : 0;
    if (character === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The position of the brace that closes the one before the text. */
function endOfBlock(text: string): number {
  let depth = 1;
  return [...text].findIndex((character) => {
    depth += character === '{' ? 1 : character === '}' ? -1 : 0;
    return depth === 0;
  });
}

describe('the schema', () => {
  test('names every table and column of a migrated database, and which may be null', async () => {
    const columns = [
      'schema.ts',
      'tables/backup-schema.ts',
      'tables/billing-schema.ts',
      'tables/webhook-schema.ts',
    ].flatMap((file) => columnsOf(readFileSync(path.join(import.meta.dirname, file), 'utf8')));
    assert.deepEqual(columns.sort(), await columnsOfDatabase());
  });

  test('is read column by column', () => {
    const source = `export type Schema = {
      one: { id: Generated<number>; at: MaybeInstant; /* no; */ list: ColumnType<{ a: string }[] | null, string> };
      two: { price: number | null } & Record<Fuel, string | null>;
    };`;
    assert.deepEqual(columnsOf(source), [
      ...['one.at null', 'one.id', 'one.list null'],
      ...[...FUELS, 'price'].map((column) => `two.${column} null`).sort(),
    ]);
  });
});
