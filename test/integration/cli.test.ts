import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runCommandLine } from '../../src/command-line.ts';
import { readConfig } from '../../src/config/config.ts';
import { type SimulatedRegister, startSimulatedRegister } from '../../src/simulation/register/register-server.ts';
import { emptyDatabase } from '../support/database/test-database.ts';
import { thinCountry } from '../support/worlds/thin-country.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/pompa');

/** Real processes use the real clock; the instants passed to them are safely in the past. */
const AN_HOUR_AGO = Math.floor(Date.now() / 1000 - 3_600) * 1_000;
const WHEN = new Date(AN_HOUR_AGO).toISOString().replace('.000', '');

type PompaResult = { code: number | null; out: string; err: string };

let folder: string;
let made: Awaited<ReturnType<typeof emptyDatabase>>;
let register: SimulatedRegister;
const servers: Server[] = [];

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'pompa-cli-'));
  made = await emptyDatabase();
  register = await startSimulatedRegister({ country: thinCountry(7, AN_HOUR_AGO), clock: () => AN_HOUR_AGO });
});
after(async () => {
  await register.close();
  for (const server of servers) server.close().closeAllConnections();
  await made.drop();
  await rm(folder, { recursive: true });
});

const settingsOf = () => ({
  DATABASE_URL: made.url,
  DATA_DIR: folder,
  SOURCES: 'register',
  REGISTER_URL: register.url,
  REGISTER_PAUSE_MS: '0',
  REGISTER_PARALLEL: '16',
  LOG_LEVEL: 'warn',
});

/** Runs the program in its own folder until it exits. */
async function pompa(words: string, settings: Record<string, string> = {}): Promise<PompaResult> {
  const child = spawn(PROGRAM, words.split(' ').filter(Boolean), {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...settingsOf(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
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

/** Likewise, but in this process; for commands that end before they do anything. */
async function pompaHere(words: string): Promise<PompaResult> {
  const output = { out: '', err: '' };
  const add = (to: keyof typeof output) => (line: string) => {
    output[to] += `${line}\n`;
  };
  const terminal = { interactive: false, out: add('out'), err: add('err'), progress: () => undefined };
  const stopSignal = () => new AbortController().signal;
  const code = await runCommandLine(words.split(' '), {
    terminal,
    readConfig: () => readConfig(settingsOf()),
    stopSignal,
  });
  return { code, ...output };
}

/** The single sentence on stderr; a stack trace would be longer. */
function errorSentence({ err }: PompaResult): string {
  assert.doesNotMatch(err, /\n\s+at /, 'no stack trace');
  const lines = err.trim().split('\n');
  assert.equal(lines.length, 1, err);
  return lines[0] as string;
}

const objects = ({ out }: PompaResult) =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A register that gives every request the same answer. */
async function fakeRegister(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pmonsvc/Gas`;
}

const file = (name: string, content: string) => writeFile(path.join(folder, name), content);
const COMMANDS = [
  'serve',
  'worker',
  'demo',
  'mock',
  'mqtt',
  'collect',
  'source',
  'import',
  'keys',
  'orders',
  'mails',
  'reviews',
  'reports',
  'push',
  'erase',
  'alerts',
  'runs',
  'why',
  'mcp',
  'replay',
  'migrate',
  'backup',
  'restore',
  'dump',
  'doctor',
];

describe('the arguments of a command', () => {
  test('--version and --help are answered on stdout without any setting', async () => {
    const [version, help, none, keysHelp, ...usages] = await Promise.all([
      pompa('--version', { DATABASE_URL: 'nonsense' }),
      pompa('--help', { DATABASE_URL: 'nonsense' }),
      pompa(''),
      pompa('keys --help', { PORT: 'nonsense' }),
      ...COMMANDS.map((command) => pompaHere(`${command} --help`)),
    ]);
    assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
    for (const { code, err } of [version, help, keysHelp, ...usages]) assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(keysHelp, usages[COMMANDS.indexOf('keys')]);
    assert.deepEqual([...help.out.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name).sort(), COMMANDS.toSorted());
    for (const [index, command] of COMMANDS.entries()) {
      assert.match(usages[index]?.out ?? '', new RegExp(`^usage: pompa ${command}`));
    }
    assert.deepEqual([none.code, none.out], [2, '']);
    assert.equal(none.err, help.out);
  });

  test('if invalid, end with 2 and one sentence that says what would be correct', async () => {
    const soon = new Date(Date.now() + 11 * 60_000).toISOString();
    const calls: [words: string, advice: RegExp][] = [
      ['colect', /^pompa: unknown command "colect"; commands: serve, worker,/],
      ['collect --forse', /^pompa: collect has no --forse; usage: pompa collect/],
      ['collect nobody', /^pompa: no source is called "nobody"; known are register/],
      ['collect manual', /^pompa: manual is not collected; pompa import brings in its rows$/],
      ['collect --at yesterday', /^pompa: --at "yesterday" must be ISO 8601 with an offset, such as 20/],
      [`collect --at ${soon}`, /^pompa: --at ".*" is more than 10 minutes ahead$/],
      ['collect --at', /^pompa: .*--at.*usage: pompa collect/],
      ['collect --from-archive', /^pompa: --from-archive needs --at, the time of the archived run$/],
      ['source', /^pompa: usage: pompa source NAME/],
      ['source nobody', /^pompa: no source is called "nobody"; known are register/],
      ['import pricse x.csv', /^pompa: import takes stations, prices, history, not "pricse"$/],
      ['runs nobody', /^pompa: no source is called "nobody"; known are register/],
      ['runs --limit 0', /^pompa: --limit must be a whole number from 1 to 10000$/],
      ['why x kerosen', /^pompa: fuel "kerosen" must be one of benzina_standard,/],
      ['keys create --plan gold', /^pompa: --plan must be one of starter, pro, business, dedicat, not "gold"$/],
      ['keys list --quota 5', /^pompa: keys list has no --quota; usage: pompa keys list/],
      ['serve now', /^pompa: usage: pompa serve/],
    ];
    const first = await pompa('colect');
    const ended = await Promise.all(calls.map(([words]) => pompaHere(words)));
    assert.deepEqual(first, ended[0], 'a process says the same');
    for (const [index, [words, advice]] of calls.entries()) {
      const one = ended[index] as PompaResult;
      assert.deepEqual([one.code, one.out], [2, ''], words);
      assert.match(errorSentence(one), advice);
    }
  });
});

describe('a command that fails ends with one sentence', () => {
  test('for a remote register on the command line without a contact', async () => {
    const ended = await pompa('collect register', { SOURCES: '', REGISTER_URL: 'http://register.invalid/pmonsvc/Gas' });
    assert.deepEqual([ended.code, ended.out], [1, '']);
    assert.match(errorSentence(ended), /^pompa: CONTACT must be set/);
  });

  test('and the process ends, whatever the command has left open', async () => {
    const leftOpen = '--import=data:text/javascript,setInterval(()=>undefined,1e9)';
    const { code, err } = await pompa('why nobody', { NODE_OPTIONS: leftOpen });
    assert.equal(code, 1);
    const forced = 'pompa: the process is ended, although the command has left something open\n';
    assert.equal(err, `pompa: no station is known as "nobody"\n${forced}`);
  });

  test('and the process ends only when all that it has printed was written', async () => {
    const printed = "process.stdout.write('x'.repeat(5e6))";
    const impatient = 'const{setTimeout:s}=globalThis;globalThis.setTimeout=f=>s(f)';
    const NODE_OPTIONS = `--import=data:text/javascript,${impatient};${printed}`;
    const { code, out } = await pompa('colect', { NODE_OPTIONS });
    assert.deepEqual([code, out.length], [2, 5e6]);
  });

  test('and a signal ends the process if nobody reads what it has printed', async () => {
    // Says when the program has taken over the signal.
    const told = "process.on('newListener',n=>n==='SIGTERM'&&setImmediate(()=>process.stderr.write('ready')))";
    const printed = "process.stdout.write('x'.repeat(5e6))";
    const NODE_OPTIONS = `--import=data:text/javascript,${told};${printed}`;
    const env = { PATH: process.env.PATH, HOME: folder, NODE_OPTIONS };
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(PROGRAM, ['colect'], { env, stdio, timeout: 120_000, killSignal: 'SIGKILL' });
    const ended = once(child, 'exit');
    for await (const text of child.stderr) if (String(text).includes('ready')) break;
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [2, null]);
  });

  test('for an invalid setting, port, station or file, and for an unavailable database', async () => {
    const listener = net.createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const port = String((listener.address() as AddressInfo).port);
    const away = 'postgres://u:geheim@127.0.0.1:1/nothing';
    const [setting, database, busy, demo, busyDemo, station, absent, key] = await Promise.all([
      pompa('runs', { COLLECT_EVERY: '2' }),
      pompa('runs', { DATABASE_URL: away }),
      pompa('serve --no-worker', { PORT: port }),
      pompa('demo'),
      pompa('demo', { PORT: port, DATABASE_URL: '' }),
      pompa('why nobody'),
      pompa('import prices absent.csv'),
      pompa('keys revoke 999'),
    ]);
    listener.close();
    for (const { code, err } of [setting, database, busy, demo, busyDemo, station, absent, key]) {
      assert.equal(code, 1, err);
      assert.doesNotMatch(err, /\n\s+at |geheim/);
    }
    assert.match(errorSentence(setting), /^pompa: COLLECT_EVERY must be a duration/);
    assert.match(
      errorSentence(database),
      /^pompa: the database nothing on 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    );
    const inUse = `pompa: cannot listen on 127.0.0.1:${port}: another process uses this address; set PORT to a free port`;
    assert.equal(errorSentence(busy), inUse);
    assert.equal(busyDemo.err.trim().split('\n').at(-1), inUse);
    assert.equal(existsSync(path.join(folder, 'demo')), false, 'no database');
    assert.match(errorSentence(demo), /^pompa: DATABASE_URL must be unset for pompa demo/);
    assert.match(errorSentence(key), /^pompa: there is no key 999; keys list shows all keys$/);
    assert.match(errorSentence(station), /^pompa: no station is known as "nobody"$/);
    assert.match(absent.err, /^absent\.csv: it cannot be read: ENOENT\npompa: absent\.csv: .*nothing was imported\n$/);
  });
});

describe('collect', () => {
  let first: PompaResult;
  before(async () => {
    first = await pompa(`collect --json --at ${WHEN}`);
  });

  test('prints one line per source and what was published, as text and as JSON', async () => {
    assert.equal(first.err, '');
    assert.equal(first.code, 0);
    const [run, end] = objects(first);
    assert.deepEqual(Object.keys(run ?? {}), [
      'source',
      'ok',
      'requests',
      'rows',
      'rejected',
      'matched',
      'new',
      'ambiguous',
      'changed',
      'seconds',
      'error',
    ]);
    assert.deepEqual([run?.source, run?.ok, run?.error, run?.matched], ['register', true, null, 0]);
    assert.ok((run?.rows as number) > 20);
    assert.deepEqual(Object.keys(end ?? {}), ['published', 'records']);
    assert.equal(end?.published, true);

    const [again, runs, why, pipe] = await Promise.all([
      pompa(`collect register --at ${WHEN} --from-archive`, { REGISTER_URL: 'http://127.0.0.1:1/Gas' }),
      pompa('runs --json'),
      pompa('why nobody --json'),
      pompa('migrate'),
    ]);
    assert.match(
      again.out,
      /^register: delivered; \d+ requests, \d+ rows, .*, 0 prices changed, [\d.]+ s\npublished version 2: \d+ records\n$/,
    );
    assert.equal(again.code, 0);
    const recorded = objects(runs).at(-1) ?? {};
    for (const name of ['source', 'ok', 'requests', 'rows', 'error', 'started', 'finished', 'set_aside']) {
      assert.ok(name in recorded, name);
    }
    assert.equal(recorded.set_aside, false);
    assert.equal(why.code, 1);
    assert.equal(pipe.out, 'the tables are up to date\n');
  });

  test('of a failing register ends with 1, says why, keeps the old prices, and records the error in the run', async () => {
    const html =
      (status: number): RequestListener =>
      (_, response) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end('<html><h1>Forbidden</h1></html>');
    const failing = {
      down: 'http://127.0.0.1:1/pmonsvc/Gas',
      forbidden: await fakeRegister(html(403)),
      html: await fakeRegister(html(200)),
      empty: await fakeRegister((_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]'),
      ),
    };
    const before = objects(first).at(-1)?.records;
    for (const [how, url] of Object.entries(failing)) {
      const ended = await pompa('collect --json', { REGISTER_URL: url });
      assert.equal(ended.code, 1, how);
      const [run, end] = objects(ended);
      assert.equal(run?.ok, false, how);
      assert.match(String(run?.error), /^the register is unhealthy: /, how);
      assert.equal(errorSentence(ended), `pompa: register failed: ${run?.error}`);
      assert.deepEqual(end, { published: false, records: before }, how);
    }
    const runs = await pompa('runs --limit 4');
    assert.equal(runs.out.match(/register: FAILED \(the register is unhealthy: /g)?.length, 4);
  });
});

describe('source', () => {
  test('prints what a live source returns and stores nothing', async () => {
    const [listed, down] = await Promise.all([
      pompa('source register --json', { DATABASE_URL: 'postgres://127.0.0.1:1/none' }),
      pompa('source register --json', { REGISTER_URL: 'http://127.0.0.1:1/Gas' }),
    ]);
    const [object, ...more] = objects(listed);
    assert.deepEqual([listed.code, listed.err, more], [0, '', []]);
    assert.deepEqual(Object.keys(object ?? {}), ['source', 'ok', 'rows', 'rejected', 'sample']);
    const { source, ok, sample } = object as { source: string; ok: boolean; sample: unknown[] };
    assert.deepEqual([source, ok, sample.length], ['register', true, 5]);
    assert.equal(down.code, 1);
    assert.equal(objects(down)[0]?.ok, false);
    assert.match(errorSentence(down), /^pompa: register: the register is unhealthy/);
  });

  test('prints a list with the maximum number of stations', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `ALD,${index},gpl,${index === 0 ? 3.9 : 4.1}`);
    await file('long.csv', `brand,station,fuel,price\n${rows.join('\n')}\n`);
    const { out, code } = await pompa('source prices:ald', { SOURCES: `prices:ald=${path.join(folder, 'long.csv')}` });
    assert.deepEqual([code, out.split('\n').at(-2)], [0, '  lpg: 20000 prices, 3.9 to 4.1 RON/l']);
  });

  test('prints the stations of a finder, which has no prices', async () => {
    const answer = await readFile(new URL('../../src/sources/locators/mol.fixture.json', import.meta.url));
    const finder = createServer((_, response) => response.end(answer)).listen(0, '127.0.0.1');
    servers.push(finder);
    await once(finder, 'listening');
    const address = `http://127.0.0.1:${(finder.address() as AddressInfo).port}/`;
    const { out, code } = await pompa('source locator:mol --json', {
      SOURCES: 'locator:mol',
      LOCATOR_MOL_URL: address,
    });
    const result = JSON.parse(out);
    assert.equal(code, 0);
    assert.ok(result.rows > 0 && result.sample.length > 0 && result.sample[0].network === 'mol', out);
  });

  test('prints the prices of a list, including those of a whole network', async () => {
    await file('socar.csv', 'brand,station,fuel,price\nSOCAR,,benzina_standard,7.39\nSOCAR,9,gpl,3.9\n');
    const settings = { SOURCES: `prices:socar=${path.join(folder, 'socar.csv')}` };
    const { out, code } = await pompa('source prices:socar', settings);
    assert.equal(code, 0);
    assert.match(out, /1 stations, 2 prices, none rejected\n {2}petrol of all socar stations: 7\.39 RON\/l\n/);
  });
});

describe('import', () => {
  test('accepts a file relative to the caller’s folder, or names every bad row by its line and imports none', async () => {
    await file('stations.csv', 'key,brand,city,county,lat,lng\nmine,Petrom,Cluj-Napoca,CJ,46.7712,23.6236\n');
    await file(
      'prices.json',
      JSON.stringify([{ station: 'manual:mine', fuel: 'gpl', price: 3.55, observed_at: WHEN }]),
    );
    await file('bad.csv', `station,fuel,price,observed_at\nmanual:mine,gpl,-1,${WHEN}\nnobody,gpl,3,${WHEN}\n`);
    await writeFile(
      path.join(folder, 'latin.csv'),
      Buffer.from('station,fuel,price,observed_at\n\xe3,gpl,3,x\n', 'latin1'),
    );

    const stations = await pompa('import stations stations.csv');
    assert.deepEqual(
      [stations.code, stations.out, stations.err],
      [0, '1 rows of stations imported and published\n', ''],
    );
    const [prices, bad, latin] = await Promise.all([
      pompa('import prices prices.json --json'),
      pompa('import prices bad.csv'),
      pompa('import prices latin.csv'),
    ]);
    assert.deepEqual(objects(prices), [{ kind: 'prices', rows: 1, published: true }]);
    assert.equal(bad.code, 1);
    assert.deepEqual(bad.err.trim().split('\n'), [
      'bad.csv: line 2: price "-1" must be from 2.50 to 6.00, with a dot',
      'bad.csv: line 3: station "nobody" is not known; give the id of a /statii record or manual:KEY',
      'pompa: bad.csv: 2 bad row(s), nothing was imported',
    ]);
    assert.match(latin.err, /^latin\.csv: it is not UTF-8\n/);

    const why = await pompa('why manual:mine gpl');
    assert.match(
      why.out,
      /^[0-9a-f]{12} Petrom, Cluj-Napoca.*: gpl\n {2}known as manual:mine.*\n {2}served: .*\n {2}by rule 25.*\n {2}manual: .*3\.55 RON\/l/,
    );
    const [object] = objects(await pompa('why manual:mine gpl --json'));
    assert.deepEqual(Object.keys(object ?? {}), ['station', 'names', 'fuel', 'verdict', 'served', 'rule', 'facts']);
  });
});

describe('worker --once', () => {
  test('runs the due jobs, and ends with 1 if one fails', async () => {
    const ended = await pompa('worker --once', { REGISTER_URL: 'http://127.0.0.1:1/Gas', COLLECT_EVERY: '1s' });
    assert.equal(ended.code, 1);
    assert.match(ended.out, /^register: FAILED \(the register is unhealthy/);
    assert.match(ended.err, /\npompa: register failed: the register is unhealthy/);
  });
});

describe('the folder of a demo', () => {
  const demo = () => path.join(folder, 'of-a-demo');
  before(async () => {
    await mkdir(demo());
    await writeFile(path.join(demo(), 'demo.json'), '{"seed":1,"epoch":0}');
  });

  for (const words of ['serve', 'serve --processes 2', 'worker', 'worker --once', 'collect']) {
    test(`is refused by ${words}: simulated data would count as real`, async () => {
      const { code, err } = await pompa(words, { DATA_DIR: demo() });
      assert.deepEqual([code, /^pompa: DATA_DIR .* simulated data of pompa demo: choose another/.test(err)], [1, true]);
    });
  }

  test('gives dumps that say that all of it is simulated', async () => {
    const { code } = await pompa('dump --out shared', { DATA_DIR: demo(), DUMP_SOURCES: 'register' });
    assert.equal(code, 0);
    assert.match(await readFile(path.join(folder, 'shared/LICENTA.txt'), 'utf8'), /^.*SIMULATE/);
  });
});

test('a reader that closes the output early is not a failure', async () => {
  const child = spawn('sh', ['-c', `"${PROGRAM}" --help | true; "${PROGRAM}" runs --limit 10000 | head -c 1`], {
    env: { PATH: process.env.PATH, HOME: folder, DATABASE_URL: made.url, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (text) => {
    err += text;
  });
  await once(child, 'close');
  assert.equal(err, '');
});
