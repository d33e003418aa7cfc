/** Backup and restore as an operator runs them: real processes, and equal answers byte for byte. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { startSimulatedRegister } from '../../src/simulation/register/register-server.ts';
import { removeEmbeddedDatabase } from '../../src/store/embedded/remove.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import { errorSentence, runPompa, servePompa, startPompa } from '../support/processes/pompa-process.ts';
import { thinCountry } from '../support/worlds/thin-country.ts';

const AN_HOUR_AGO = Math.floor(Date.now() / 1000 - 3_600) * 1_000;
const WHEN = new Date(AN_HOUR_AGO).toISOString().replace('.000', '');
const A_DAY = 86_400_000;

type EmptyDatabase = Awaited<ReturnType<typeof emptyDatabase>>;

let folder: string;
let source: EmptyDatabase;
let key: string;
let register: Record<string, string>;
const targets: EmptyDatabase[] = [];

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-backups-'));
  source = await emptyDatabase();
  const simulated = await startSimulatedRegister({ country: thinCountry(7, AN_HOUR_AGO), clock: () => AN_HOUR_AGO });
  register = {
    SOURCES: 'register',
    TRUSTED_PROXIES: '127.0.0.1',
    REGISTER_URL: simulated.url,
    REGISTER_PAUSE_MS: '0',
    REGISTER_PARALLEL: '16',
  };
  await fill();
  await simulated.close();
});
after(async () => {
  await source.drop();
  for (const target of targets) await target.drop();
  await rm(folder, { recursive: true });
});

const settings = ({ url }: { url: string }) => ({ ...register, DATABASE_URL: url });
const pompa = (words: string, own: Record<string, string> = settings(source)) =>
  runPompa(folder, words.split(' '), own);

async function target(): Promise<EmptyDatabase> {
  const made = await emptyDatabase();
  targets.push(made);
  return made;
}

/** Two collections, one import of each kind, keys in every state, reviews. */
async function fill(): Promise<void> {
  const day = (ago: number) => new Date(AN_HOUR_AGO - ago * A_DAY).toISOString().slice(0, 10);
  await writeFile(
    path.join(folder, 's.csv'),
    'key,brand,city,county,lat,lng\nmine,Petrom,Cluj-Napoca,CJ,46.7712,23.6236\n',
  );
  await writeFile(path.join(folder, 'p.csv'), `station,fuel,price,observed_at\nmanual:mine,gpl,3.55,${WHEN}\n`);
  const days = Array.from({ length: 60 }, (_, ago) => `${day(ago + 2)},manual:mine,gpl,3.${10 + ago}`);
  await writeFile(path.join(folder, 'h.csv'), `date,station,fuel,price\n${days.join('\n')}\n`);
  const yesterday = new Date(AN_HOUR_AGO - A_DAY).toISOString();
  const work = [
    `collect --at ${yesterday}`,
    `collect --at ${WHEN}`,
    'import stations s.csv',
    'import prices p.csv',
    'import history h.csv',
  ];
  for (const words of [...work, 'keys create --plan starter', 'keys revoke 1']) {
    const ended = await pompa(words);
    assert.equal(ended.code, 0, ended.err);
  }
  const made = await pompa('keys create --plan business --email ana@example.org --json');
  key = JSON.parse(made.out).key;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

async function healthOf(address: string): Promise<Record<string, unknown>> {
  return (await fetch(`${address}/api/v1/health`)).json() as Promise<Record<string, unknown>>;
}

/** Within the rate limit of a key. */
const KEYED = ['/statii', '/statii?lat=44.43&lon=26.1&raza=20', '/cheie'];

/** Status, type, tag and bytes of every GET endpoint, each requested from its own address, in a fixed order. */
async function answers(address: string, stations: readonly Record<string, unknown>[]): Promise<Record<string, string>> {
  const paths = [
    ...['/preturi', '/preturi/minime', '/judete/cluj', '/judete/B', '/retele', '/geocode?q=cluj'],
    ...stations.flatMap(({ id }) => [`/statie/${id}/istoric?days=90`, `/reviews/petrom-${id}`]),
  ];
  await waitFor('it to serve the publication', 20_000, async () => (await healthOf(address)).actualizat_la);
  const found: Record<string, string> = {};
  for (const [index, where] of [...KEYED, ...paths].entries()) {
    const headers = KEYED.includes(where) ? { 'X-Api-Key': key } : { 'X-Forwarded-For': `203.0.113.${index}` };
    const response = await fetch(`${address}/api/v1${where}`, { headers });
    const kind = `${response.status} ${response.headers.get('content-type')} ${response.headers.get('etag')}`;
    // When this server last received a request is not part of the database.
    found[where] = `${kind} ${(await response.text()).replace(/"ultima_folosire":"[^"]+"/, '')}`;
  }
  const health = await healthOf(address);
  // Ages depend on when they are requested.
  const lasting = Object.entries(health).filter(([name]) => !name.startsWith('vechime_'));
  return { ...found, '/health': JSON.stringify(lasting) };
}

describe('a restored database', () => {
  test('answers every read byte for byte like the original, on a server or embedded', {
    timeout: 180_000,
  }, async () => {
    const stations = await ask(source.url, 'select id from stations order by id limit 12');
    const values = stations.map(
      ({ id }, n) => `('${id}', 'petrom-${id}', ${1 + (n % 5)}, 'Ana', E'Coadă\\nla GPL \\\\.', 'approved', now())`,
    );
    await ask(
      source.url,
      `insert into reviews (station_id, slug, rating, nickname, comment, state, created_at) values ${values.join()}`,
    );
    const original = await servePompa(folder, settings(source));
    const backup = await pompa('backup whole.backup --json');
    assert.deepEqual([backup.code, backup.err], [0, '']);
    const { rows, tables } = JSON.parse(backup.out);
    assert.ok(rows > 500 && tables >= 28, backup.out);
    assert.equal(statSync(path.join(folder, 'whole.backup')).mode & 0o777, 0o600);
    const wanted = await answers(original.address, stations);
    await original.end();
    assert.match(wanted['/statii'] ?? '', /^200 /);
    assert.match(wanted['/cheie'] ?? '', /^200 .*"business"/);
    const refused = Object.entries(wanted).filter(
      ([where, answer]) => where !== '/health' && !answer.startsWith('200 '),
    );
    assert.deepEqual(refused, []);

    const embedded = path.join(folder, 'embedded');
    const places = [settings(await target()), { ...register, DATA_DIR: embedded }];
    try {
      for (const place of places) {
        const restored = await pompa('restore whole.backup', place);
        assert.deepEqual([restored.code, restored.err], [0, '']);
        assert.match(
          restored.out,
          new RegExp(`^whole\\.backup: restored: ${rows} rows of ${tables} tables, .*by Pompa \\d`),
        );
        const copy = await servePompa(folder, place);
        assert.deepEqual(await answers(copy.address, stations).finally(copy.end), wanted);
      }
      // Restores back from the embedded database to a server.
      assert.equal((await pompa('backup again.backup', places[1])).code, 0);
      assert.equal((await pompa('restore again.backup', settings(await target()))).code, 0);
    } finally {
      await removeEmbeddedDatabase(embedded);
    }
  });

  test('does not keep the last good state of another database', async () => {
    const own = path.join(folder, 'own');
    await mkdir(own);
    await writeFile(path.join(own, 'last-good.snapshot'), 'of the database before');
    await writeFile(path.join(own, `last-good.history-${'0'.repeat(32)}`), 'of the database before');
    const place = { ...settings(await target()), DATA_DIR: own };
    await pompa('backup good.backup');
    await writeFile(path.join(folder, 'bad.backup'), 'nothing');
    assert.equal((await pompa('restore bad.backup', place)).code, 1);
    assert.equal(readdirSync(own).length, 2);
    assert.equal((await pompa('restore good.backup', place)).code, 0);
    assert.deepEqual(readdirSync(own), []);
  });
});

describe('a command that cannot be carried out says why in one sentence', () => {
  test('and its exit code distinguishes invalid usage from a failure', async () => {
    await pompa('backup there.backup');
    const away = { ...register, DATABASE_URL: 'postgres://u:geheim@127.0.0.1:1/nothing' };
    const calls: [words: string, code: number, why: RegExp, own?: Record<string, string>][] = [
      ['backup', 2, /^pompa: usage: pompa backup FILE/],
      ['backup a b', 2, /^pompa: usage: pompa backup FILE/],
      ['restore', 2, /^pompa: usage: pompa restore \(FILE \[--check\] \| --drill\)/],
      ['restore x --force', 2, /^pompa: restore has no --force; usage: pompa restore/],
      ['backup there.backup', 1, /^pompa: there\.backup exists already and is not overwritten/],
      ['backup none/x.backup', 1, /^pompa: none\/x\.backup cannot be written: its folder does not exist$/],
      ['backup x.backup', 1, /^pompa: the database nothing on 127\.0\.0\.1:1 cannot be used/, away],
      ['restore none.backup', 1, /^pompa: none\.backup cannot be read: there is no such file$/],
      ['restore s.csv', 1, /^pompa: s\.csv is not a backup of Pompa/, away],
      ['restore there.backup', 1, /^pompa: the database nothing on 127\.0\.0\.1:1 cannot be used/, away],
      ['restore there.backup', 1, /^pompa: the database is not empty and nothing was changed; it has rows: \d+ in /],
    ];
    for (const [words, code, why, own] of calls) {
      const ended = await pompa(words, own);
      assert.deepEqual([ended.code, ended.out], [code, ''], words);
      assert.match(errorSentence(ended), why);
      assert.doesNotMatch(ended.err, /geheim/);
    }
    assert.ok(!readdirSync(folder).some((name) => name.includes('.part')));
    assert.ok(!existsSync(path.join(folder, 'x.backup')));
  });

  test('and --check reads the whole file and needs no database', async () => {
    await pompa('backup checked.backup');
    const away = { ...register, DATABASE_URL: 'postgres://127.0.0.1:1/nothing' };
    const good = await pompa('restore --check checked.backup --json', away);
    assert.equal(good.code, 0, good.err);
    const checkReport = JSON.parse(good.out);
    assert.deepEqual(Object.keys(checkReport), [
      'file',
      'made',
      'program',
      'tables',
      'rows',
      'bytes',
      'migrated',
      'restored',
      'seconds',
    ]);
    assert.deepEqual([checkReport.file, checkReport.restored, checkReport.migrated], ['checked.backup', false, []]);
    const bytes = readFileSync(path.join(folder, 'checked.backup'));
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    await writeFile(path.join(folder, 'checked.backup'), bytes);
    assert.match(
      errorSentence(await pompa('restore --check checked.backup', away)),
      /is damaged and nothing of it was used: /,
    );
  });

  test('and leaves no partial file on a full disk', async () => {
    // A limit on the file size replaces a full disk: the write fails in the middle in the same way. Coverage collection
    // would fail on it too, and print errors.
    const small = 'unset NODE_V8_COVERAGE; trap "" XFSZ; ulimit -f 4';
    const limited = await runPompa(folder, ['backup', 'full.backup'], settings(source), small);
    assert.equal(limited.code, 1, limited.err);
    assert.match(errorSentence(limited), /^pompa: full\.backup cannot be written: it is larger than a file may be$/);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('full.backup')));
  });
});

describe('a restore that is killed halfway', () => {
  test('leaves the database empty, and the next restore succeeds', { timeout: 120_000 }, async () => {
    await ask(
      source.url,
      `insert into daily_prices (day, station_id, petrol, facts)
       select '2020-01-01'::date + d, s.id, 7000, 0 from generate_series(0, 1500) d, (select id from stations limit 100) s`,
    );
    assert.equal((await pompa('backup large.backup')).code, 0);
    const place = await target();
    const name = place.url.replace(/.*\//, '');
    const child = startPompa(folder, ['restore', 'large.backup'], settings(place));
    const exited = once(child, 'exit');
    await waitFor('the rows to be copied', 30_000, async () => {
      const copying = `select 1 from pg_stat_activity where datname = '${name}' and query like 'copy%daily_prices%'`;
      return (await ask(source.url, copying)).length > 0;
    });
    child.kill('SIGKILL');
    assert.deepEqual(await exited, [null, 'SIGKILL']);
    const left = `select relname from pg_class where relnamespace = 'public'::regnamespace`;
    assert.deepEqual(await ask(place.url, left), []);
    const again = await pompa('restore large.backup', settings(place));
    assert.equal(again.code, 0, again.err);
    const count = 'select count(*)::int as days from daily_prices';
    assert.deepEqual(await ask(place.url, count), await ask(source.url, count));
  });
});
