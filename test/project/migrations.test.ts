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
/** What locks a table for as long as its rows take to read or write, and what to write instead. */
const SLOW: readonly [statement: RegExp, instead: string][] = [
  [
    /^create (unique )?index (?!concurrently)(.* )?on (?<table>\w+)/,
    'create it concurrently, in a migration that runs online',
  ],
  [/^alter table (?<table>\w+)( .*)? alter( column)? \w+ (set data )?type /, 'add a column, and fill it in batches'],
  [/^alter table (?<table>\w+)( .*)? set not null/, 'add a check that is not valid, and validate it online'],
  [
    /^alter table (?<table>\w+)( .*)? add constraint (?!.* not valid)/,
    'make the constraint not valid, and validate it online',
  ],
  [
    /^alter table (?<table>\w+)( .*)? add( column)? \w+ [^,]*default [^,]*\(/,
    'a default that is computed rewrites the table: fill it in batches',
  ],
  [/^(update|delete from) (?<table>\w+)/, 'change rows in batches'],
  [/^(vacuum|cluster|reindex|refresh) /, 'leave it to autovacuum, or run it online'],
];

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
    ['create index a on runs (at);', /create it concurrently/],
    ['create unique index on runs (at);', /create it concurrently/],
    ['create table x (id int);\ncreate index on x (id);', null],
    ['alter table runs alter column at type text;', /add a column/],
    ['alter table runs add column x text, alter x set data type int;', /add a column/],
    ['alter table runs alter column at set not null;', /a check that is not valid/],
    ['alter table runs add constraint c check (rows > 0);', /make the constraint not valid/],
    ['alter table runs add constraint c check (rows > 0) not valid;', null],
    ['alter table runs add column x text not null default gen_random_uuid();', /computed/],
    ['alter table runs add column x integer not null default 0;', null],
    ['update runs set rows = 0;', /in batches/],
    ['delete from runs;', /in batches/],
    ['-- update runs\ncomment on table runs is $$update runs$$;', null],
    [
      '-- Runs: online\ncreate index concurrently if not exists a on runs (at);\nalter table runs validate constraint c;',
      null,
    ],
    ['-- Runs: online\nalter table runs add column x text;', /runs in a transaction/],
    [
      '-- Runs: in batches\nupdate runs set rows = 1 where id in (select id from runs where rows = 0 limit 500 for update skip locked);',
      null,
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
    return / limit \d+ for update skip locked\)/.test(statements[0] ?? '')
      ? []
      : [`${name}: a batch takes rows that nobody holds: where … in (select … limit … for update skip locked)`];
  }
  const made = tablesCreatedBy([migration]);
  return statements.flatMap((statement) =>
    SLOW.filter(([slow]) => {
      const match = slow.exec(statement);
      return match !== null && !made.has(match.groups?.table ?? '');
    }).map(([, instead]) => `${name}: "${statement}" blocks: ${instead}`),
  );
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
