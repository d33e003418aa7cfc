import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionsFinding, processFindings } from './process-checks.ts';

const MACHINE = { cores: 4, memoryBytes: 4e9 };
const NO_METRICS = { PORT: 8080, METRICS_PORT: null, FOLLOW_TOKEN: null };

function lines(processes: number, settings: Parameters<typeof processFindings>[1] = NO_METRICS, machine = MACHINE) {
  return processFindings(processes, settings, machine).flatMap(({ ok, check, detail, advice }) =>
    ok ? [] : [`${check}: ${detail}; ${advice}`],
  );
}

test('as many processes as there are cores pass', () => {
  assert.deepEqual(lines(4), []);
});

test('more processes than cores fail', () => {
  assert.deepEqual(lines(5), [
    'processes: 5 serving processes share 4 cores: more than that gain nothing; serve --processes 4, or --processes auto',
  ]);
});

test('more processes than the memory has room for fail', () => {
  assert.deepEqual(lines(4, NO_METRICS, { cores: 4, memoryBytes: 1.3e9 }), [
    'processes: 4 serving processes take about 1.00 GB of the 1.30 GB here; ' +
      'serve --processes 3, or --processes auto, or give them more memory',
  ]);
});

test('where a reload closes idle connections early, the line says so', () => {
  const detailOf = (memoryBytes: number) => processFindings(4, NO_METRICS, { cores: 4, memoryBytes })[0]?.detail;
  assert.equal(detailOf(4e9), '4 on 4 cores');
  assert.equal(
    detailOf(2e9),
    '4 on 4 cores; the memory has room for 2 that a reload replaces: it closes idle connections of the others after 5 s',
  );
});

test('metrics of several processes need a port of their own', () => {
  assert.deepEqual(lines(2, { ...NO_METRICS, METRICS_PORT: 9464 }), []);
  assert.deepEqual(lines(2, { ...NO_METRICS, METRICS_PORT: 8080 }), [
    'metrics: METRICS_PORT and PORT are both 8080; set METRICS_PORT to another port, such as 9464',
  ]);
  assert.deepEqual(lines(2, { ...NO_METRICS, PORT: 0, METRICS_PORT: 0 }), [], 'each gets a free one');
});

test('several processes that others may follow fail, one does not', () => {
  const followed = { ...NO_METRICS, FOLLOW_TOKEN: 'x'.repeat(32) };
  assert.deepEqual(lines(1, followed), []);
  const [line = ''] = lines(2, followed);
  assert.match(line, /^followed: FOLLOW_TOKEN is set: a server that follows 2 processes on one address needs several/);
  assert.match(line, /let others follow a serve without --processes/);
});

test('too few database connections for the processes, and for those that a reload replaces, fail', () => {
  assert.equal(connectionsFinding({ connections: 3, maxConnections: 100 }, 3).ok, true);
  const { ok, detail, advice } = connectionsFinding({ connections: 3, maxConnections: 100 }, 4);
  assert.equal(ok, false);
  assert.equal(detail, '3 of 100 in use; 4 serving processes, and those that a reload replaces, take up to 108');
  assert.equal(advice, 'raise max_connections of the server to 124, or run fewer processes');
});

test('without a number of processes there must be connections for one more', () => {
  assert.equal(connectionsFinding({ connections: 84, maxConnections: 100 }, null).ok, true);
  assert.equal(connectionsFinding({ connections: 85, maxConnections: 100 }, null).ok, false);
});

test('behind a pooler, whose limits cannot be asked for, no limit of the server is said to be too low', () => {
  const { ok, detail } = connectionsFinding({ connections: 95, maxConnections: 100, isPooled: true }, 8);
  assert.equal(ok, true);
  assert.equal(detail, '95 of 100 in use at the server; the limits of the pooler hold for Pompa, and were not checked');
});
