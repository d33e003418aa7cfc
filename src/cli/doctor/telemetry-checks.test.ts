import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createMetrics } from '../../app/metrics.ts';
import { startMetricsServer } from '../../app/metrics-server.ts';
import { telemetryFindings } from './telemetry-checks.ts';

const OFF = { PORT: 8080, METRICS_PORT: null, OTEL_EXPORTER_OTLP_ENDPOINT: null, OTEL_TRACES_SAMPLER_ARG: 0.5 };
const findings = async (settings: Partial<Parameters<typeof telemetryFindings>[0]>) => {
  const [metrics, traces] = await telemetryFindings({ ...OFF, ...settings });
  return { metrics: metrics ?? assert.fail(), traces: traces ?? assert.fail() };
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
    const free = http.createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const freePort = (free.address() as AddressInfo).port;
    await new Promise((closed) => free.close(closed));
    assert.ok((await findings({ METRICS_PORT: freePort })).metrics.ok);
    const lines: string[] = [];
    const metrics = createMetrics();
    const page = await startMetricsServer(metrics, 0, { info: (line) => lines.push(line) });
    t.after(() => page.close());
    const shown = await findings({ METRICS_PORT: Number(/:(\d+)/.exec(lines.join().replace('http:', ''))?.[1]) });
    assert.match(shown.metrics.detail, /answers$/);
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
