/** Checks what new migrations say of themselves, and that none blocks those who use the database meanwhile. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { tablesCreatedBy } from '../../src/store/backup/database-tables.ts';
import { type Migration, readMigrations } from '../../src/store/migrations/read-migrations.ts';
import { RELEASE_BEFORE } from '../upgrades/release-before.ts';

/** The last migration that was applied while nobody used the database: before releases could run side by side. */
const LAST_OFFLINE = 20;

const ONLINE = [
  /^create (unique )?index concurrently if not exists /,
  /^drop index concurrently if exists /,
  /^alter table \w+ validate constraint \w+$/,
];
/** What takes no time, whatever a table has: the actions of `alter table`, and whole statements. */
const LITERAL = "(-?\\d+|''|true|false)";
const TYPE =
  '(smallint|integer|int|bigint|double precision|numeric|text|boolean|date|timestamptz|jsonb|bytea|uuid)(\\[\\])?';
const ACTIONS = [
  new RegExp(
    `^add column (if not exists )?\\w+ ${TYPE}( not null default ${LITERAL}| default ${LITERAL}( not null)?)?$`,
  ),
  /^add constraint \w+ (check|foreign key) .*not valid$/,
  /^drop constraint (if exists )?\w+$/,
  new RegExp(`^alter (column )?\\w+ (drop default|drop not null|set default ${LITERAL})$`),
];
const INSTEAD =
  'add a column, constraints that are not valid and new tables here; build indexes and validate online; change rows in batches';
const MOST_ROWS = 1_000;

describe('a migration', () => {
  const added = readMigrations().filter(({ number }) => number > LAST_OFFLINE);

  test('since the release before this one suits that release', () => {
    const unsuited = added
      .filter(({ number }) => number > RELEASE_BEFORE.migration)
      .filter(({ compatibleFrom }) => {
        return compatibleFrom === null || compatibleFrom > RELEASE_BEFORE.migration;
      });
    assert.deepEqual(
      unsuited.map(({ name }) => name),
      [],
    );
  });

  test('blocks nobody', () => {
    assert.deepEqual(added.flatMap(problemsOf), []);
  });

  for (const [sql, problem] of [
    ['create table x (id int references runs (id));\ncreate index on x (id);', null],
    ['alter table runs add column x integer not null default 0, add column y text[], drop constraint c;', null],
    ['alter table runs add constraint c check (rows > 0) not valid, alter at drop not null;', null],
    ['-- update runs\ncomment on table runs is $$update runs$$;', null],
    ['create index a on runs (at);', /may block/],
    ['create unique index on runs (at);', /may block/],
    ['alter table runs alter column at type text;', /may block/],
    ['alter table runs add column x text, alter x set data type int;', /may block/],
    ['alter table runs alter column at set not null;', /may block/],
    ['alter table runs add constraint c check (rows > 0);', /may block/],
    ['alter table runs add constraint a check (rows > 0), add constraint b check (rows > 1) not valid;', /may block/],
    ['alter table runs add check (rows > 0);', /may block/],
    ['alter table runs add unique (at);', /may block/],
    ['alter table runs add column x text not null default gen_random_uuid();', /may block/],
    ['alter table runs add column x bigserial;', /may block/],
    ['alter table runs add column x int generated always as (rows * 2) stored;', /may block/],
    ['alter table runs add column x text references stations;', /may block/],
    ['alter table runs drop column rows;', /may block/],
    ['alter table runs rename to walks;', /may block/],
    ['update runs set rows = 0;', /may block/],
    ['with old as (select 1) update runs set rows = 0;', /may block/],
    ['insert into runs select * from old_runs;', /may block/],
    ['do $$ begin update runs set rows = 0; end $$;', /may block/],
    ['truncate runs;', /may block/],
    ['alter table runs add column x text;\nalter table keys add column x text;', /a migration each/],
    ['alter table runs add column x text;\ncreate table x (id text references stations (id));', /a migration each/],
    [
      '-- Runs: online\ncreate index concurrently if not exists a on runs (at);\nalter table runs validate constraint c;',
      null,
    ],
    ['-- Runs: online\nalter table runs add column x text;', /runs in a transaction/],
    [
      '-- Runs: in batches\nupdate runs set rows = 1 where id in (select id from runs where rows = 0 limit 500 for update skip locked);',
      null,
    ],
    [
      '-- Runs: in batches\nupdate runs set rows = 1 where id in (select id from runs limit 50000 for update skip locked);',
      /up to 1000 rows/,
    ],
    ['-- Runs: in batches\nupdate runs set rows = 1 where rows = 0;', /limit … for update skip locked/],
    [
      '-- Runs: in batches\ndelete from runs where id in (select id from runs limit 5 for update skip locked);\ndelete from keys;',
      /one statement/,
    ],
  ] as const)
    test(`${problem === null ? 'may' : 'may not'}: ${sql.split('\n').at(-1)}`, () => {
      const mode = sql.startsWith('-- Runs: online')
        ? 'online'
        : sql.startsWith('-- Runs: in')
          ? 'batches'
          : 'transaction';
      const found = problemsOf({ number: 9001, name: '9001-x', sql, sha256: '', mode, compatibleFrom: 20 }).join();
      if (problem === null) assert.equal(found, '');
      else assert.match(found, problem);
    });
});

/** Sentences about statements that block. */
function problemsOf(migration: Migration): string[] {
  const { name, mode } = migration;
  const statements = statementsOf(migration);
  if (mode === 'online')
    return statements
      .filter((statement) => !ONLINE.some((allowed) => allowed.test(statement)))
      .map((statement) => `${name}: "${statement}" runs in a transaction: move it to a migration of its own`);
  if (mode === 'batches') {
    if (statements.length !== 1) return [`${name}: a migration in batches is one statement`];
    const [, limit] =
      /^(?:update|delete from) .* limit (\d+) for update skip locked\)$/.exec(statements[0] ?? '') ?? [];
    return Number(limit) <= MOST_ROWS
      ? []
      : [
          `${name}: a batch takes up to ${MOST_ROWS} rows that nobody holds: where … in (select … limit … for update skip locked)`,
        ];
  }
  const made = tablesCreatedBy([migration]);
  const touched = new Set(statements.flatMap((statement) => tablesOf(statement)).filter((table) => !made.has(table)));
  const slow = statements
    .filter((statement) => !isQuick(statement, made))
    .map((statement) => `${name}: "${statement}" may block: ${INSTEAD}`);
  const chain = `${name}: whoever waits for ${[...touched].join(', ')} waits for all of them: a migration each`;
  return touched.size > 1 ? [...slow, chain] : slow;
}

/** Whether a statement takes no time. */
function isQuick(statement: string, made: ReadonlySet<string>): boolean {
  const [, table = '', actions] = /^alter table (\w+) (.*)$/.exec(statement) ?? [];
  if (actions !== undefined)
    return made.has(table) || listOf(actions).every((action) => ACTIONS.some((quick) => quick.test(action)));
  const [, indexed] = /^create (?:unique )?index (?:\w+ )?on (\w+)/.exec(statement) ?? [];
  if (indexed !== undefined) return made.has(indexed);
  const [, filled] = /^insert into (\w+)/.exec(statement) ?? [];
  if (filled !== undefined) return made.has(filled);
  return /^(create table|comment on) /.test(statement);
}

/** The tables that a statement locks. */
function tablesOf(statement: string): string[] {
  return [...statement.matchAll(/\b(?:alter table|references) (\w+)/g)].map(([, table]) => table as string);
}

/** Parts between the commas that are within no parentheses. */
function listOf(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of text) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

/** In lower case on one line each, without comments and texts. */
function statementsOf({ sql }: Migration): string[] {
  return sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'[^']*'|\$\$[^$]*\$\$/g, "''")
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '');
}
