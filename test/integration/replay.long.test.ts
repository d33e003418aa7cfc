/**
 * `pompa replay` as an operator runs it: real processes, on the archive of real collections from a simulated register.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bucharestDay, dayNumber, dayText, startOfBucharestDay } from '../../src/domain/days.ts';
import { startSimulatedRegister } from '../../src/simulation/register/register-server.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import { thinCountry } from '../support/worlds/thin-country.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/pompa');
const HOUR = 3_600_000;

/** Real processes use the real clock; the days they replay are long past. */
const FIRST = dayNumber(bucharestDay(Date.now())) - 5;
const [ONE, TWO] = [dayText(FIRST), dayText(FIRST + 1)];
const RUNS = [10, 20, 34].map((hours) => startOfBucharestDay(FIRST) + hours * HOUR);
const DAYS = `--from ${ONE} --to ${TWO}`;
const NARROW = { PRICE_RANGES: 'benzina=5.50-7.40' };

type PompaResult = { code: number | null; out: string; err: string };

let folder: string;
let made: Awaited<ReturnType<typeof emptyDatabase>>;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-replay-'));
  made = await emptyDatabase();
  const [epoch] = RUNS as [number];
  const register = await startSimulatedRegister({ country: thinCountry(7, epoch), clock: () => epoch });
  try {
    for (const at of RUNS) {
      register.setClock(at);
      const { code, err } = await pompa(`collect --at ${new Date(at).toISOString()}`, { REGISTER_URL: register.url });
      assert.equal(code, 0, err);
    }
  } finally {
    await register.close();
  }
});
after(async () => {
  await made.drop();
  await rm(folder, { recursive: true });
});

async function pompa(words: string, settings: Record<string, string> = {}): Promise<PompaResult> {
  const child = spawn(PROGRAM, words.split(' '), {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH, HOME: folder, DATABASE_URL: made.url, DATA_DIR: folder, SOURCES: 'register' },
      ...{ REGISTER_URL: 'http://127.0.0.1:1/Gas', REGISTER_PAUSE_MS: '0', REGISTER_PARALLEL: '16', LOG_LEVEL: 'warn' },
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  const output = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    output.out += text;
  });
  child.stderr.on('data', (text) => {
    output.err += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

const lines = (text: string) => text.trimEnd().split('\n');
const objects = ({ out }: PompaResult) => lines(out).map((line) => JSON.parse(line) as Record<string, unknown>);
const text = (name: string) => readFile(path.join(folder, name), 'utf8');

describe('the arguments of replay', () => {
  test('if invalid, end with 2 and say what would be correct', async () => {
    const tomorrow = dayText(dayNumber(bucharestDay(Date.now())) + 2);
    const calls: [words: string, advice: RegExp][] = [
      ['replay', /^pompa: --from is needed, a day such as 20/],
      [`replay --from ${ONE}`, /^pompa: --to is needed, a day such as 20/],
      [`replay --from yesterday --to ${TWO}`, /^pompa: --from "yesterday" must be a day such as 2026-11-20\n$/],
      [`replay --from 2026-02-30 --to ${TWO}`, /^pompa: --from "2026-02-30" must be a day/],
      [`replay --from ${ONE} --to ${tomorrow}`, /^pompa: --to ".*" lies in the future\n$/],
      [`replay --from ${TWO} --to ${ONE}`, /^pompa: --from .* must not be after --to .*\n$/],
      [`replay ${DAYS} register`, /^pompa: usage: pompa replay --from DAY --to DAY/],
      [`replay ${DAYS} --out`, /^pompa: .*usage: pompa replay/],
    ];
    for (const [words, advice] of calls) {
      const { code, out, err } = await pompa(words);
      assert.deepEqual([code, out], [2, ''], words);
      assert.match(err, advice);
    }
  });

  test('days without an archive, and unusable files, end with 1', async () => {
    await writeFile(path.join(folder, 'foreign.ndjson'), '{"format":"another"}\n');
    const early = dayText(FIRST - 3);
    const calls: [words: string, advice: RegExp][] = [
      [
        `replay --from ${early} --to ${early}`,
        new RegExp(
          `^pompa: no run from ${early} to ${early} is archived; the archive reaches from ${ONE} to ${TWO}\n$`,
        ),
      ],
      [`replay ${DAYS} --compare absent.ndjson`, /^pompa: .*absent\.ndjson: it cannot be read: ENOENT\n$/],
      [`replay ${DAYS} --compare foreign.ndjson`, /^pompa: .*foreign\.ndjson: it is no file of replay --out\n$/],
      [`replay ${DAYS} --out nowhere/a.ndjson`, /^pompa: .*nowhere\/a\.ndjson: it cannot be written: ENOENT\n$/],
    ];
    for (const [words, advice] of calls) {
      const { code, out, err } = await pompa(words);
      assert.deepEqual([code, out], [1, ''], words);
      assert.match(err, advice);
    }
  });
});

describe('--out', () => {
  let content: string;
  before(async () => {
    const result = await pompa(`replay ${DAYS} --out first.ndjson`, { TZ: 'America/New_York' });
    assert.deepEqual([result.code, result.err], [0, '']);
    assert.match(result.out, /^.*\/first\.ndjson: \d+ records of 2 days\n$/);
    content = await text('first.ndjson');
  });

  test('writes the same bytes every time, in any time zone, and leaves no other files', async () => {
    const again = await pompa(`replay ${DAYS} --out second.ndjson --json`, { TZ: 'Pacific/Kiritimati' });
    assert.equal(again.code, 0);
    assert.ok((await text('second.ndjson')) === content, 'the bytes differ');
    const [header] = objects(again);
    assert.deepEqual(Object.keys(header ?? {}), ['file', 'days', 'records', 'left_out']);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  test('writes a header, then each day and its records in order', () => {
    const [header, ...rest] = lines(content).map((line) => JSON.parse(line));
    const { rules, ranges, program, ...terms } = header;
    assert.match(program, /^\d+\.\d+\.\d+$/);
    assert.match(rules, /^[0-9a-f]{12}$/);
    assert.deepEqual(ranges.petrol, { min: 5_500, max: 12_000 });
    assert.deepEqual(terms, {
      ...{ format: 'pompa-replay/1', from: ONE, to: TWO, sources: ['register'], inService: ['register'] },
    });
    const days = rest.filter(({ records }) => records !== undefined);
    const records = rest.filter(({ fuel }) => fuel !== undefined);
    assert.deepEqual(
      days.map(({ day, runs, left_out }) => [day, runs, left_out]),
      [
        [ONE, 2, null],
        [TWO, 1, null],
      ],
    );
    assert.equal(days[0].records + days[1].records, records.length);
    assert.deepEqual(Object.keys(records[0]), ['day', 'station', 'fuel', 'price', 'verdict', 'source', 'reason']);
    const names = records.map(({ day, station }) => `${day} ${station}`);
    assert.deepEqual(names, names.toSorted());
    assert.ok(records.some(({ verdict, reason }) => verdict === 'doubtful' && reason === 'stale'));
    assert.ok(records.every(({ verdict, price }) => (price === null) === !['relied', 'doubtful'].includes(verdict)));
  });

  test('--compare finds no difference to the same days, and shows what another rule would change', async () => {
    const [same, other, json] = await Promise.all([
      pompa(`replay ${DAYS} --compare first.ndjson`),
      pompa(`replay ${DAYS} --compare first.ndjson --out narrow.ndjson`, NARROW),
      pompa(`replay ${DAYS} --compare first.ndjson --json`, NARROW),
    ]);
    assert.deepEqual([same.code, same.err], [0, '']);
    assert.match(same.out, /^before: version .*, rules .*; after: .*\nnone of \d+ records of 2 days differ\n$/);

    assert.equal(other.code, 0);
    assert.match(other.err, /^PRICE_RANGES differ: before .*12000.*, after .*7400.*\n$/);
    assert.match(
      other.out,
      new RegExp(`^${ONE}: \\d+ records differ: \\d+ prices, \\d+ verdicts, \\d+ sources, 0 new, 0 gone$`, 'm'),
    );
    assert.match(other.out, /^ {2}[0-9a-f]{12} benzina_standard: [\d.]+ relied from register → unknown$/m);
    assert.match(other.out, /^\d+ of \d+ records of 2 days differ$/m);
    assert.notEqual(await text('narrow.ndjson'), content);

    const [day, , sum] = objects(json) as [{ examples: unknown[]; differ: number }, unknown, { differ: number }];
    assert.equal(day.examples.length, 5);
    assert.ok(sum.differ > day.differ && day.differ > 5);
  });

  test('--compare refuses a file of other days, and one that is cut off', async () => {
    await writeFile(path.join(folder, 'cut.ndjson'), `${lines(content).slice(0, -3).join('\n')}\n`);
    const [other, cut] = await Promise.all([
      pompa(`replay --from ${TWO} --to ${TWO} --compare first.ndjson`),
      pompa(`replay ${DAYS} --compare cut.ndjson`),
    ]);
    assert.deepEqual([other.code, cut.code], [1, 1]);
    assert.match(other.err, new RegExp(`it covers ${ONE} to ${TWO}; replay the same days to compare\n$`));
    assert.match(cut.err, new RegExp(`cut\\.ndjson: it is truncated within ${TWO}\n$`));
  });
});

test('without a file, replay recomputes the day values: the same rules change nothing, and other rules change them once', async () => {
  const same = await pompa(`replay ${DAYS}`);
  assert.deepEqual([same.code, same.err], [0, '']);
  assert.deepEqual(lines(same.out), [
    `${ONE}: 2 runs, 0 values changed`,
    `${TWO}: 1 runs, 0 values changed`,
    'nothing changed, nothing was published',
  ]);
  const other = objects(await pompa(`replay ${DAYS} --json`, NARROW));
  assert.deepEqual(other.map(Object.keys), [
    ...[0, 1].map(() => ['day', 'runs', 'refused', 'changed', 'left_out']),
    ['published', 'version'],
  ]);
  assert.ok((other[0]?.changed as number) > 0);
  assert.deepEqual(other[2], { published: true, version: RUNS.length + 1 });
  const again = await pompa(`replay ${DAYS}`, NARROW);
  assert.match(again.out, /nothing changed, nothing was published\n$/);
});
