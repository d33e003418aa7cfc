import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../../../../test/support/processes/free-port.ts';
import { createMetrics } from '../../../app/metrics/metrics.ts';
import { startMetricsServer } from '../../../app/metrics-server.ts';
import { telemetryFindings } from './telemetry-checks.ts';

const OFF = {
  METRICS_HOST: '127.0.0.1',
  METRICS_PORT: null,
  PORT: 8080,
  OTEL_EXPORTER_OTLP_ENDPOINT: null,
  OTEL_TRACES_SAMPLER_ARG: 0.5,
};
type Surroundings = NonNullable<Parameters<typeof telemetryFindings>[1]>;
const MACHINE: Surroundings = { isContainer: false, addresses: ['127.0.0.1', '10.0.0.5', 'fe80::1'], workerPort: '' };
const findings = async (
  settings: Partial<Parameters<typeof telemetryFindings>[0]>,
  surroundings: Partial<Surroundings> = {},
) => {
  const all = await telemetryFindings({ ...OFF, ...settings }, { ...MACHINE, ...surroundings });
  const find = (name: string) => all.find(({ check }) => check === name);
  return {
    metrics: find('metrics') ?? assert.fail(),
    ofWorker: find('metrics of the worker'),
    readers: find('readers of metrics'),
    traces: find('traces') ?? assert.fail(),
  };
};

/** Answers everything, and is no Pompa. */
const other = http.createServer((_, response) => response.end('hello'));
let port: number;
before(async () => {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = (other.address() as AddressInfo).port;
});
after(() => other.close());

describe('doctor says of metrics', () => {
  test('that they are off, that the port is free, or that they are there', async (t) => {
    assert.match((await findings({})).metrics.detail, /^off/);
    assert.ok((await findings({ METRICS_PORT: await freePort() })).metrics.ok);
    const lines: string[] = [];
    const metrics = createMetrics();
    const page = await startMetricsServer(
      metrics,
      { METRICS_HOST: '0.0.0.0', METRICS_PORT: 0 },
      { info: (line) => lines.push(line) },
    );
    t.after(() => page.close());
    const shown = Number(/:(\d+)/.exec(lines.join().replace('http:', ''))?.[1]);
    for (const METRICS_HOST of ['127.0.0.1', '0.0.0.0'])
      assert.match((await findings({ METRICS_HOST, METRICS_PORT: shown })).metrics.detail, /^http:\/\/127.*answers$/);
  });

  test('that two settings have one port, or that something else has it', async (t) => {
    const same = (await findings({ METRICS_PORT: 8080 })).metrics;
    assert.deepEqual([same.ok, same.detail], [false, 'METRICS_PORT and PORT are both 8080: serve does not start']);
    const taken = (await findings({ METRICS_PORT: port })).metrics;
    assert.match(taken.detail, /^something else than Pompa answers/);
    assert.match(taken.advice ?? '', /free port/);
    const mute = net.createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    t.after(() => mute.close());
    await once(mute, 'listening');
    const silent = (await findings({ METRICS_PORT: (mute.address() as AddressInfo).port })).metrics;
    assert.match(silent.detail, /^what listens on port \d+ gives no metrics: /);
    assert.match(silent.advice ?? '', /free port/);
  });
});

describe('doctor says of the metrics of a worker beside serve', () => {
  const ofWorker = async (workerPort: string, settings = {}) => (await findings(settings, { workerPort })).ofWorker;

  test('nothing without WORKER_METRICS_PORT, else that the port is free', async () => {
    assert.equal(await ofWorker('', { METRICS_PORT: 9464 }), undefined);
    const { ok, detail } = (await ofWorker(String(await freePort()))) ?? assert.fail();
    assert.deepEqual([ok, detail.replace(/:\d+/, '')], [true, 'http://127.0.0.1/metrics, once a process runs']);
  });

  test('that it is no port, that of another setting, or taken', async () => {
    const wrong = async (workerPort: string, settings = {}) => {
      const { ok, detail, advice } = (await ofWorker(workerPort, settings)) ?? assert.fail();
      assert.equal(ok, false);
      return `${detail} → ${advice}`;
    };
    assert.equal(
      await wrong('94640'),
      'WORKER_METRICS_PORT must be a whole number from 0 to 65535, such as 9465: worker does not start → set WORKER_METRICS_PORT to a free port, such as 9465',
    );
    for (const name of ['PORT', 'METRICS_PORT'])
      assert.match(
        await wrong('9470', { [name]: 9470 }),
        new RegExp(
          `^WORKER_METRICS_PORT and ${name} are both 9470: worker does not start → set WORKER_METRICS_PORT to`,
        ),
      );
    assert.match(
      await wrong(String(port)),
      /^something else than Pompa answers at .*: worker does not start → set WORKER_METRICS_PORT to a free port/,
    );
  });
});

describe('doctor says who can read metrics', () => {
  const readers = async (METRICS_HOST: string, isContainer = false, addresses = MACHINE.addresses) =>
    (await findings({ METRICS_HOST, METRICS_PORT: 1 }, { isContainer, addresses })).readers;

  test('nothing of loopback, and nothing while they are off', async () => {
    assert.equal(await readers('127.0.0.1'), undefined);
    assert.equal(await readers('::1'), undefined);
    assert.equal((await findings({ METRICS_HOST: '0.0.0.0' })).readers, undefined);
    const ofWorker = (await findings({ METRICS_HOST: '0.0.0.0' }, { workerPort: '9465' })).readers;
    assert.equal(ofWorker?.ok, false, 'those of the worker alone are metrics, too');
  });

  test('who reaches a private address or a name, and who reaches a container', async () => {
    const warning = /anybody who reaches this address reads them; keep it inside your network$/;
    for (const [host, isContainer] of [
      ['10.0.0.5', false],
      ['metrics.example', false],
      ['0.0.0.0', true],
    ] as const) {
      const { ok, detail } = (await readers(host, isContainer)) ?? assert.fail();
      assert.ok(ok);
      assert.match(detail, warning);
    }
  });

  test('that every network may reach all addresses of a machine, or one of the internet', async () => {
    for (const [host, isContainer] of [
      ['0.0.0.0', false],
      ['::', false],
      ['8.8.8.8', false],
      ['2600::1', true],
    ] as const) {
      const { ok, advice } = (await readers(host, isContainer)) ?? assert.fail();
      assert.equal(ok, false);
      assert.match(advice ?? '', /^set METRICS_HOST to 127\.0\.0\.1/);
    }
  });

  test('that a container with the network of its machine may be reached from the internet', async () => {
    for (const [host, address] of [
      ['0.0.0.0', '8.8.8.8'],
      ['::', '8.8.8.8'],
      ['::', '2600::1'],
    ] as const) {
      const { ok, detail } = (await readers(host, true, [...MACHINE.addresses, address])) ?? assert.fail();
      assert.deepEqual(
        [ok, detail],
        [
          false,
          `METRICS_HOST is ${host}, which other networks may reach by ${address}: anybody who reaches it reads the metrics`,
        ],
      );
    }
    const isOk = async (host: string) => (await readers(host, true, ['10.88.0.2', '2600::1']))?.ok;
    assert.deepEqual([await isOk('0.0.0.0'), await isOk('::')], [true, false], '0.0.0.0 has no address of IPv6');
  });

  test('that the address is no one of this machine', async () => {
    const { metrics } = await findings({ METRICS_HOST: '192.0.2.1', METRICS_PORT: 9464 });
    const detail = 'METRICS_HOST is 192.0.2.1, which is no address of this machine: serve does not start';
    assert.deepEqual([metrics.ok, metrics.detail], [false, detail]);
  });
});

describe('doctor says of traces', () => {
  const traces = async (endpoint: string) => (await findings({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).traces;

  test('that they are off, or go to a collector that is reachable', async () => {
    assert.match((await findings({})).traces.detail, /^off/);
    assert.match((await traces(`http://127.0.0.1:${port}`)).detail, /is reachable; 50 % are kept$/);
  });

  test('that the path is added, that a port is that of gRPC, or that nothing listens', async () => {
    assert.equal((await traces('http://127.0.0.1:4318/v1/traces')).advice, 'set it to http://127.0.0.1:4318');
    assert.match((await traces('http://127.0.0.1:4317')).advice ?? '', /4318/);
    const away = await traces('http://127.0.0.1:1');
    assert.deepEqual([away.ok, /cannot be reached/.test(away.detail)], [false, true]);
  });
});
