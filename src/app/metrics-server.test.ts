import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { CommandError } from './command.ts';
import { createMetrics } from './metrics/metrics.ts';
import { startMetricsServer } from './metrics-server.ts';

const ON_LOOPBACK = { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 };

/** The page on a free port, and where it is. */
async function page(metrics = createMetrics(), METRICS_HOST = '127.0.0.1') {
  const lines: string[] = [];
  const log = { info: (line: string) => lines.push(line) };
  const { close } = await startMetricsServer(metrics, { ...ON_LOOPBACK, METRICS_HOST }, log);
  return { close, address: /^metrics at (http:\/\/[^/]+:\d+\/metrics)$/.exec(lines[0] ?? '')?.[1] ?? '' };
}

test('serves Prometheus text on loopback, with every counter at 0 on the first scrape', async () => {
  const metrics = createMetrics();
  const failures = metrics.routerFailures('osrm');
  const { address, close } = await page(metrics);
  try {
    assert.equal(new URL(address).hostname, '127.0.0.1');
    const first = await fetch(address);
    assert.equal(first.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(await first.text(), /^pompa_router_failures_total\{engine="osrm"\} 0$/m);
    failures.inc();
    assert.match(await (await fetch(address)).text(), /^pompa_router_failures_total\{engine="osrm"\} 1$/m);
    const { status } = await fetch(new URL('/other', address));
    assert.equal(status, 404);
  } finally {
    await close();
  }
});

test('what is counted of sources, tasks, webhooks and events of Stripe begins at 0', async () => {
  const metrics = createMetrics();
  metrics.observeWorker().onStart(['collect'], ['register'], 5_000);
  const text = await metrics.text();
  for (const sample of [
    'pompa_collections_total{source="register",outcome="failed"}',
    'pompa_collection_rows_total{source="register",result="rejected"}',
    'pompa_collection_requests_total{source="register"}',
    'pompa_collection_price_changes_total{source="register"}',
    'pompa_scheduled_work_total{task="collect",outcome="failed"}',
    'pompa_webhooks_total{outcome="refused"}',
    'pompa_webhook_deliveries_total{outcome="gone"}',
  ])
    assert.ok(text.includes(`\n${sample} 0\n`), sample);
  assert.match(text, /^pompa_scheduled_work_done_timestamp_seconds\{task="collect"\} 5$/m);
});

test('shows what is free on the disk of each folder that exists', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pompa-free-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const shownFor = async (settings: { DATABASE_URL: string | null; BACKUP_DIR: string | null }) => {
    const metrics = createMetrics();
    metrics.observeProcess('1.2.3', { DATA_DIR: folder, ...settings });
    return [...(await metrics.text()).matchAll(/^pompa_folder_free_bytes\{folder="(\w+)"\} [1-9]/gm)].map(
      ([, name]) => name,
    );
  };
  assert.deepEqual(await shownFor({ DATABASE_URL: null, BACKUP_DIR: path.join(folder, 'missing') }), ['data']);
  mkdirSync(path.join(folder, 'postgres'));
  assert.deepEqual(await shownFor({ DATABASE_URL: null, BACKUP_DIR: folder }), ['data', 'database', 'backups']);
  assert.deepEqual(await shownFor({ DATABASE_URL: 'postgres://x', BACKUP_DIR: null }), ['data']);
  rmSync(path.join(folder, 'postgres'), { recursive: true });
  writeFileSync(path.join(folder, 'postgres.json'), 'not JSON');
  assert.deepEqual(await shownFor({ DATABASE_URL: null, BACKUP_DIR: null }), ['data']);
});

test('two services in one process count separately', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.routerFailures('osrm').inc();
  other.routerFailures('osrm');
  assert.match(await other.text(), /\{engine="osrm"\} 0$/m);
});

test('a port in use fails the start with one sentence that names the setting', async () => {
  const { address, close } = await page();
  try {
    await assert.rejects(
      startMetricsServer(
        createMetrics(),
        { ...ON_LOOPBACK, METRICS_PORT: Number(new URL(address).port) },
        { info: () => undefined },
      ),
      (error: Error) => error instanceof CommandError && /^METRICS_PORT: .*EADDRINUSE/.test(error.message),
    );
  } finally {
    await close();
  }
});

test('METRICS_HOST is the address that it listens on, no other', async () => {
  const { address, close } = await page(createMetrics(), '127.0.0.2');
  try {
    assert.equal((await fetch(address)).status, 200);
    await assert.rejects(fetch(address.replace('127.0.0.2', '127.0.0.1')));
  } finally {
    await close();
  }
});

test('an address of another machine fails the start with one sentence that names the setting', async () => {
  await assert.rejects(
    page(createMetrics(), '192.0.2.1').then(({ close }) => close()),
    (error: Error) =>
      error instanceof CommandError &&
      /^METRICS_HOST must be an address of this machine, such as .*, not 192\.0\.2\.1: .*EADDRNOTAVAIL/.test(
        error.message,
      ),
  );
});

test('without the setting nothing is served', async () => {
  const { close } = await startMetricsServer(
    createMetrics(),
    { ...ON_LOOPBACK, METRICS_PORT: null },
    { info: assert.fail },
  );
  await close();
});

test('the connections of the API are read at each scrape', async () => {
  const metrics = createMetrics();
  let open = 0;
  metrics.observeConnections(() => {
    open += 2;
    return { open, refused: { total: 0, client: open * 10, network: 1 }, dropped: { unused: 3, stalled: 4 } };
  });
  await metrics.text();
  const text = await metrics.text();
  const count = Number(/^pompa_connections (\d+)$/m.exec(text)?.[1]);
  assert.ok(count > 2);
  assert.match(text, /^pompa_connections_refused_total\{reason="client"\} \d+0$/m);
  assert.match(text, /^pompa_connections_refused_total\{reason="network"\} 1$/m);
  assert.match(text, /^pompa_connections_dropped_total\{reason="stalled"\} 4$/m);
});

test('whose limit of the site refused requests is read at each scrape', async () => {
  const metrics = createMetrics();
  const refusals = { client: 0, network: 2, crawler: 3 };
  metrics.observeSiteRefusals(refusals);
  assert.match(await metrics.text(), /\{limit="client"\} 0\n.*\{limit="network"\} 2\n.*\{limit="crawler"\} 3$/m);
  refusals.client = 1;
  assert.match(await metrics.text(), /^pompa_site_refused_total\{limit="client"\} 1$/m);
});

test('orders, mails and events are read from the database at each scrape, and absent while it is away', async () => {
  const metrics = createMetrics();
  let isAway = false;
  metrics.observeBilling(async () => {
    if (isAway) throw new Error('away');
    return {
      orders: { open: 1, done: 2, expired: 3 },
      mails: { waiting: 1, sent: 5, refused: 0, expired: 0 },
      events: { waiting: 0, done: 7 },
      ...{
        oldestMailAt: 40_000,
        oldestEventAt: null,
        ...{ lastEventAt: null, runningSince: null },
        unrecognized: [],
        unrefunded: [],
        keyMailsNotArrived: [],
        now: 100_000,
      },
    };
  });
  const text = await metrics.text();
  assert.match(text, /^pompa_orders\{state="done"\} 2$/m);
  assert.match(text, /^pompa_mails\{state="sent"\} 5$/m);
  assert.match(text, /^pompa_stripe_events\{state="done"\} 7$/m);
  assert.match(text, /^pompa_oldest_mail_seconds 60$/m);
  isAway = true;
  assert.doesNotMatch(await metrics.text(), /^pompa_(orders|mails|stripe_events)\{/m);
  metrics.webhooks('refused');
  assert.match(await metrics.text(), /^pompa_webhooks_total\{outcome="refused"\} 1$/m);
});
