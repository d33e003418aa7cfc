/** Mutated backups: each is refused in one sentence or restored whole, and nothing of another program changes. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { BackupRefused } from '../../src/store/backup/backup-refusals.ts';
import { dump } from '../../src/store/backup/dump.ts';
import { type Backup, openBackup } from '../../src/store/backup/open-backup.ts';
import { restore } from '../../src/store/backup/restore.ts';
import { writeBackup } from '../../src/store/backup/write-backup.ts';
import { type Database, openDatabase } from '../../src/store/connection/database.ts';
import { archiveOf, forged, unpacked, withRows } from '../support/backup-archive.ts';
import { emptyDatabase, testDatabase } from '../support/database/test-database.ts';
import { addReport } from '../support/run-settings.ts';
import { fuzz } from './fuzz.ts';
import { mutatedBodies, mutatedBytes } from './mutations.ts';

const NEVER = new AbortController().signal;
const silent = { info: () => undefined, warn: () => undefined };
const ROUNDS = { short: 40, medium: 500, long: 10_000 };
const FORMAT_1 = path.resolve(import.meta.dirname, '../../src/store/backup/format-1.backup');
const FIRST_LINE = 'pompa-backup 1\n';
const SUM_BYTES = 32;

/** What another program has in the target: names of ours in its schema, a sequence with a name of ours beside us. */
const FOREIGN = `
  create schema other;
  create table other.stations (id text); insert into other.stations values ('theirs');
  create table other.secrets (name text); insert into other.secrets values ('theirs');
  create sequence runs_id_seq; select setval('runs_id_seq', 500);
  create sequence accounts_id_seq; select setval('accounts_id_seq', 600)`;
const FOREIGN_STATE = `
  select (select string_agg(id, ',') from other.stations) as stations, (select string_agg(name, ',') from other.secrets)
    as secrets, (select last_value from runs_id_seq) as runs, (select last_value from accounts_id_seq) as ledgers`;
const FOREIGN_AS_IT_WAS = [{ stations: 'theirs', secrets: 'theirs', runs: 500, ledgers: 600 }];
const OWN_RELATIONS = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind <> 'S'`;

let folder: string;
let good: Buffer;
let target: { database: Database; drop(): Promise<void> };
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-fuzz-'));
  const source = await testDatabase();
  await source.pool.query(CONTENT);
  const file = path.join(folder, 'good.backup');
  await writeBackup(file, dump(source, { program: '1.2.3', now: Date.UTC(2026, 10, 20) }), NEVER);
  await source.drop();
  good = readFileSync(file);
  target = await newTarget();
});
after(async () => {
  await target.drop();
  rmSync(folder, { recursive: true });
});

async function newTarget(): Promise<typeof target> {
  const { url, drop } = await emptyDatabase();
  const database = await openDatabase({ databaseUrl: url, dataDir: '', log: silent, connections: 1 });
  await database.pool.query(FOREIGN);
  return { database, drop: () => database.close().then(drop) };
}

type Mutant = { readonly kind: string; readonly make: () => Buffer | Promise<Buffer> };

/** Mutants of the file, of its members with unchanged sizes and digests, and of its rows with recomputed digests. */
async function mutants(): Promise<fc.Arbitrary<Mutant>> {
  const members = await unpacked(good);
  const manifest = members.get('manifest.json') as Buffer;
  const rest = [...members].slice(1).map(([name, content]) => ({ name, content }));
  const old = readFileSync(FORMAT_1);
  const oldPieces = zstdDecompressSync(old.subarray(FIRST_LINE.length, -SUM_BYTES));
  const mutant = <T>(kind: string, from: fc.Arbitrary<T>, make: (value: T) => Buffer | Promise<Buffer>) =>
    from.map((value): Mutant => ({ kind, make: () => make(value) }));
  const rows = fc.constantFrom(...rest).chain(({ name, content }) => {
    const changed = fc.oneof(mutatedBytes(content), mutatedBodies(content));
    return changed.map((bytes) => withRows(name.split('.')[0] as string, () => bytes.toString('latin1')));
  });
  return fc.oneof(
    mutant('file', mutatedBytes(good), (bytes) => bytes),
    mutant('file of format 1', mutatedBytes(old), (bytes) => bytes),
    mutant('archive', mutatedBytes(zstdDecompressSync(good)), (bytes) => zstdCompressSync(bytes)),
    mutant('manifest', mutatedBodies(manifest), (content) => archiveOf([{ name: 'manifest.json', content }, ...rest])),
    mutant('pieces of format 1', fc.oneof(mutatedBodies(oldPieces), mutatedBytes(oldPieces)), sealed),
    mutant('rows', rows, (edit) => forged(good, edit)),
  );
}

function sealed(pieces: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(FIRST_LINE), zstdCompressSync(pieces)]);
  return Buffer.concat([body, hash('sha256', body, 'buffer')]);
}

describe('a mutated backup', () => {
  test('is refused in one sentence or restored whole; another program loses nothing', async (t) => {
    const ends: Record<string, number> = {};
    const all = await mutants();
    const outcome = await fuzz(
      t,
      all,
      async ({ kind, make }) => {
        const end = await endOf(await make());
        ends[`${kind}: ${end}`] = (ends[`${kind}: ${end}`] ?? 0) + 1;
        return end === 'restored' ? end : null;
      },
      ROUNDS,
    );
    addReport(
      t,
      Object.entries(ends)
        .map(([what, count]) => `${what} ${count}`)
        .sort(),
    );
    assert.ok(outcome.read < outcome.cases);
  });
});

/** How the way of a file ends; throws where it ends otherwise. */
async function endOf(content: Buffer): Promise<'unreadable' | 'refused' | 'restored'> {
  const file = path.join(folder, 'x.backup');
  writeFileSync(file, content);
  const backup = await openBackup(file).catch(requireRefusal);
  if (backup === null) return 'unreadable';
  const end = await restoreInto(target.database, backup);
  await backup.close();
  assert.deepEqual((await target.database.pool.query(FOREIGN_STATE)).rows, FOREIGN_AS_IT_WAS);
  const { rows } = await target.database.pool.query(OWN_RELATIONS);
  if (end === 'refused') assert.deepEqual(rows, []);
  else {
    assert.ok(rows.length > 28);
    await target.drop();
    target = await newTarget();
  }
  return end;
}

async function restoreInto(database: Database, backup: Backup): Promise<'refused' | 'restored'> {
  const result = await restore(database, backup, { signal: NEVER }).catch(requireRefusal);
  return result === null ? 'refused' : 'restored';
}

/** Anything but a refusal is a bug. */
function requireRefusal(error: unknown): null {
  if (!(error instanceof BackupRefused)) throw error;
  assert.ok(error.message.length < 700 && !error.message.includes('\n'), error.message);
  return null;
}

const CONTENT = `
  insert into stations select 's' || n, '2026-01-01 00:00Z', '2025-11-20', 3 from generate_series(0, 5) n;
  insert into station_aliases (source, key, station_id, network, brand, name, address, lat, lng, services, manual, first_at, seen_at)
    select 'register', 'k' || n, 's' || n, 'petrom', 'Petrom', E'a\\tb\\nc\\\\.', 'Calea Știrbei', 46.7, 23.5, '{a,"b,c"}', '{"note":"x"}',
      '2026-01-01 00:00Z', '2026-01-01 00:00Z' from generate_series(0, 5) n;
  insert into daily_prices (day, station_id, petrol, facts)
    select '2025-11-20'::date + d, 's' || n, 7000 + d, 1 from generate_series(0, 5) d, generate_series(0, 5) n;
  insert into reviews (station_id, slug, rating, nickname, comment, state, created_at, client)
    values ('s1', 's1', 5, 'Ana', E'două\\nrânduri', 'pending', '2026-01-01 00:00Z', '\\x00ff0a09');
  insert into api_keys (plan, created_at) values ('pro', '2026-01-01 00:00Z');
  insert into key_secrets (sha256, key_id, last4, created_at) values (sha256('x'), 1, 'abcd', '2026-01-01 00:00Z')`;
