// Several serving processes on one address: reloads and kills under load.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TRUST_LOOPBACK } from '../support/builders/client-addresses.ts';
import { syntheticCountry } from '../support/builders/synthetic-country.ts';
import { seedDatabase } from '../support/database/bench-database.ts';
import { waitFor } from '../support/database/embedded-database.ts';
import { type TestDatabase, testDatabase } from '../support/database/test-database.ts';
import { addReport, roundsOf } from '../support/run-settings.ts';
import { SeveralProcesses } from './engine/several-processes.ts';
import { SteadyReaders } from './engine/steady-readers.ts';

const PROCESSES = 2;
/** One that is prerendered, one that is rendered, one of Fastify, one of the site. */
const PATHS = ['/api/v1/preturi/minime', '/api/v1/geocode?q=cluj', '/livez', '/'];
/** How long processes may live on when their supervisor was killed. */
const END_WITHIN_MS = 15_000;
/** How soon a process that hangs is found and killed: it owes answers of 30 s. */
const HANGS_WITHIN_MS = 60_000;
/** Spread by the system over the processes. */
const IDLE_CONNECTIONS = 12;
/** How long they idle after the reload has begun. */
const IDLE_MS = 15_000;

let folder: string;
let database: TestDatabase;
before(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'pompa-reloads-'));
  database = await testDatabase();
  await seedDatabase(database, syntheticCountry(600, Date.now()));
});
after(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function start(t: TestContext) {
  const serve = await SeveralProcesses.start(PROCESSES, {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'info', ...TRUST_LOOPBACK },
    ...{ SOURCES: 'register', CONTACT: 'test@example.org' },
  });
  const readers = new SteadyReaders();
  t.after(async () => {
    await readers.end();
    await serve.end();
  });
  readers.start(serve.address, PATHS, { keepAlive: true, pauseMs: 3 }, 6);
  readers.start(serve.address, PATHS, { keepAlive: true, pauseMs: 300 }, 6);
  readers.start(serve.address, PATHS, { keepAlive: false, pauseMs: 3 }, 6);
  return { serve, readers };
}

test('rolling through the processes loses no request', async (t) => {
  const { serve, readers } = await start(t);
  const rounds = roundsOf({ medium: 3, long: 50 });
  const before = new Set(serve.pids);
  for (let round = 0; round < rounds; round += 1) await serve.reload();
  await readers.end();
  addReport(t, [report(readers), `reloads: ${rounds}`]);
  assert.deepEqual(readers.lost, []);
  assert.ok(readers.answered > 50 * rounds && readers.connections > 6 * rounds, report(readers));
  const isExchanged = () => serve.pids.length === PROCESSES && serve.pids.every((pid) => !before.has(pid));
  await waitFor('the end of the replaced processes, whose connections are closed', END_WITHIN_MS, isExchanged);
  assert.equal(await serve.end(), 0);
});

test('a connection that idles through a reload gets its answer, and none holds up the end', async (t) => {
  const { serve } = await start(t);
  const agent = new http.Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  const askAll = () =>
    Promise.all(Array.from({ length: IDLE_CONNECTIONS }, () => ask(`${serve.address}/livez`, agent)));
  await askAll();
  const before = performance.now();
  await serve.reload();
  // Processes once closed idle connections 5 s after their successor served.
  await sleep(Math.max(0, IDLE_MS - (performance.now() - before)));
  const answers = await askAll();
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.ok(answers.every(({ reused, connection }) => reused && connection === 'close'));
  await askAll();
  await serve.reload();
  const asked = performance.now();
  assert.equal(await serve.end(), 0);
  assert.ok(performance.now() - asked < END_WITHIN_MS);
});

test('a killed process costs the requests that it had accepted, and no other', async (t) => {
  const { serve, readers } = await start(t);
  const rounds = roundsOf({ medium: 4, long: 50 });
  let excused = 0;
  for (let round = 0; round < rounds; round += 1) {
    const from = readers.lost.length;
    const { goneAt } = await serve.kill(1 + (round % PROCESSES));
    const lost = readers.lost.slice(from);
    assert.deepEqual(
      lost.filter(({ startedAt }) => startedAt > goneAt),
      [],
      'sent after it was gone',
    );
    assert.ok(lost.length <= readers.readers, 'one for each connection');
    assert.deepEqual(
      lost.filter(({ why }) => why === 'ECONNREFUSED'),
      [],
    );
    excused += lost.length;
  }
  await readers.end();
  addReport(t, [report(readers), `kills: ${rounds}; cut with the killed process: ${excused}`]);
  assert.ok(readers.answered > 50 * rounds, report(readers));
});

test('a process that hangs is replaced after 30 s, and a stop ends one, too', async (t) => {
  const { serve } = await start(t);
  const [from, hung] = [serve.logLength, serve.pidOf(2)];
  serve.freeze(2);
  await serve.logged(/^process 2, pid \d+, has answered nothing for 30 s: it is killed/, from);
  await serve.logged(/^process 2 serves/, from);
  assert.equal(existsSync(`/proc/${hung}`), false);
  serve.freeze(1);
  const { pids } = serve;
  assert.equal(await serve.end(HANGS_WITHIN_MS), 0);
  assert.deepEqual(
    pids.filter((pid) => existsSync(`/proc/${pid}`)),
    [],
  );
});

test('a killed supervisor leaves no process behind, and its address is free', async (t) => {
  const { serve, readers } = await start(t);
  const { pids } = serve;
  assert.equal(pids.length, PROCESSES);
  await serve.killSupervisor();
  await waitFor('the end of its processes', END_WITHIN_MS, () => pids.every((pid) => !existsSync(`/proc/${pid}`)));
  await readers.end();
  const port = new URL(serve.address).port;
  const next = await SeveralProcesses.start(PROCESSES, { DATABASE_URL: database.url, DATA_DIR: folder, PORT: port });
  assert.equal(await next.end(), 0);
});

type Answer = {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly reused: boolean;
};

function ask(url: string, agent: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent }, (response) => {
      const { statusCode: status, headers } = response;
      response.resume().on('error', reject);
      response.on('end', () => resolve({ status, connection: headers.connection, reused: request.reusedSocket }));
    });
    request.on('error', reject);
  });
}

function report({ answered, connections, slowestMs, lost }: SteadyReaders): string {
  return `${answered} answers on ${connections} connections, ${lost.length} lost, the slowest ${Math.round(slowestMs)} ms`;
}
