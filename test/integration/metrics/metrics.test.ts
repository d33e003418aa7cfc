/** What a complete service shows at /metrics; and that alerts, dashboard and documents name nothing else. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { parse } from 'yaml';
import { createMetrics } from '../../../src/app/metrics/metrics.ts';
import { mergedMetrics } from '../../../src/app/processes/merge-metrics.ts';
import { projectFiles } from '../../project/project-files.ts';
import { aRun } from '../../support/builders/run-builders.ts';
import { type ExposedMetric, exposedMetrics, sampleOf, unknownIn } from '../../support/exposed-metrics.ts';
import { NO_BACKUPS } from '../../support/service/no-backups.ts';
import { SellingSite } from '../../support/service/selling-site.ts';

type Rule = { alert: string; expr: string; labels: { severity: string }; annotations: Record<string, string> };
type Panel = { title: string; targets?: { expr: string }[] };

const files = projectFiles();
const file = (name: string) => files.get(name) ?? assert.fail(`${name} is missing`);
const rules: Rule[] = parse(file('deploy/prometheus/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: Rule[] }) => rules,
);
const dashboard: { panels: Panel[] } = JSON.parse(file('deploy/grafana/pompa.json'));

let site: SellingSite;
let address: string;
let metrics: Map<string, ExposedMetric>;
const scrape = async () => (await fetch(address)).text();
before(async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  site = await SellingSite.start(log, { METRICS_PORT: '0' });
  address = /metrics at (http:[^"]+)/.exec(lines.join(''))?.[1] ?? assert.fail('no address was logged');
  // A worker is another process, or the same one.
  const worker = createMetrics();
  const counts = worker.observeWorker();
  counts.onRuns([aRun()]);
  counts.onJob('collect', 'done', 1_700_000_000_000);
  worker.deliveries('delivered');
  worker.routerFailures('osrm');
  worker.webhooks('accepted');
  worker.observeFollowed({ state: 'ready', takenAt: 1_700_000_000_000 });
  worker.observeRelay({ waiting: 2 });
  worker.observeBackups(async () => NO_BACKUPS, { areSent: true });
  const processes = { configured: 2, serving: 2, replaced: 0 };
  const supervisor = await mergedMetrics({ running: new Map(), ended: [] }, processes);
  for (const target of ['/api/v1/preturi', '/preturi-carburanti', '/', '/nimic', '/livez'])
    await fetch(site.address + target);
  const further = [workerPart(exposedMetrics(await worker.text())), [...exposedMetrics(supervisor)]];
  metrics = new Map([...exposedMetrics(await scrape()), ...further.flat()]);
});
after(() => site.close());

/** The status of the answer to one request on a connection of its own: a used one may be on either path. */
async function askOnce(target: string, method: string): Promise<number | undefined> {
  const request = http.request(site.address + target, { agent: false, method });
  request.end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'close');
  return response.statusCode;
}

/** What only the scheduled work or the engine counts. */
function workerPart(all: Map<string, ExposedMetric>): [string, ExposedMetric][] {
  return [...all].filter(([name]) =>
    /^pompa_(collection|scheduled|router|webhook|backup|restore|followed|followers)/.test(name),
  );
}

const WAIT = { timeout: 5_000 };

describe('a service counts', () => {
  const countOf = async (labels: string) => sampleOf(await scrape(), `pompa_http_requests_total{${labels}}`) ?? 0;
  const countsOne = async (t: TestContext, labels: string, target: string, method = 'GET') => {
    const earlier = await countOf(labels);
    const status = await askOnce(target, method);
    // Counted when the response has ended, which the client may notice first.
    await t.waitFor(async () => assert.equal(await countOf(labels), earlier + 1, `${target}: ${status}`), WAIT);
  };

  test('a simple read on the fast path, and HEAD and POST on the other', async (t) => {
    await countsOne(t, 'endpoint="getNationalPrices",path="fast",status="200"', '/api/v1/preturi/minime');
    await countsOne(t, 'endpoint="getNationalPrices",path="router",status="200"', '/api/v1/preturi/minime', 'HEAD');
    await countsOne(t, 'endpoint="planJourney",path="router",status="415"', '/api/v1/traseu/custom', 'POST');
  });

  test('pages, probes, unknown addresses', async (t) => {
    await countsOne(t, 'endpoint="page",path="router",status="200"', '/harta?x=1');
    await countsOne(t, 'endpoint="probe",path="router",status="200"', '/livez');
    await countsOne(t, 'endpoint="unrouted",path="router",status="404"', '/api/v1/nimic');
  });
  test('a refusal by its kind', async () => {
    const kind = 'pompa_http_refusals_total{kind="key_missing"}';
    const earlier = sampleOf(await scrape(), kind) as number;
    await fetch(`${site.address}/api/v1/cheie`);
    assert.equal(sampleOf(await scrape(), kind), earlier + 1);
  });

  test('how long requests took, in buckets that grow, with a count that is that of the requests', async () => {
    const text = await scrape();
    const name = 'pompa_http_request_duration_seconds';
    const buckets = [
      ...text.matchAll(
        /^pompa_http_request_duration_seconds_bucket\{le="(.+?)",endpoint="getNationalPrices",path="fast"\} (\d+)$/gm,
      ),
    ];
    const counts = buckets.map(([, , count]) => Number(count));
    assert.equal(buckets.at(-1)?.[1], '+Inf');
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    );
    const labels = '{endpoint="getNationalPrices",path="fast"}';
    assert.equal(sampleOf(text, `${name}_count${labels}`), counts.at(-1));
    const sum = sampleOf(text, `${name}_sum${labels}`) as number;
    assert.ok(sum > 0 && sum < 5, String(sum));
  });

  test('that its database is away, before the first connection, too', async () => {
    const starting = createMetrics();
    assert.equal(sampleOf(await starting.text(), 'pompa_database_up'), undefined, 'without a database');
    starting.expectDatabase();
    assert.equal(sampleOf(await starting.text(), 'pompa_database_up'), 0);
  });

  test('what it serves, and how it stands', async () => {
    const text = await scrape();
    assert.equal(sampleOf(text, 'pompa_healthy'), 1);
    assert.equal(sampleOf(text, 'pompa_database_up'), 1);
    assert.ok((sampleOf(text, 'pompa_snapshot_version') as number) > 0);
    const delivered = sampleOf(text, 'pompa_source_delivered_timestamp_seconds{source="register"}') as number;
    assert.ok(Math.abs(Date.now() / 1000 - delivered) < 3600);
    assert.equal(sampleOf(text, 'pompa_queue_oldest_seconds{queue="mails"}'), 0);
    assert.equal(sampleOf(text, 'pompa_maintenance_done_timestamp_seconds{task="daily"}'), 0, 'no worker has run');
    assert.ok((sampleOf(text, 'pompa_records_with_price') as number) > 10);
  });
});

test('names follow the conventions of Prometheus', () => {
  for (const [name, { type, labels }] of metrics) {
    if (!name.startsWith('pompa_')) continue;
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`);
    // Prometheus names its targets by these.
    assert.deepEqual(
      ['job', 'instance'].filter((label) => labels.has(label)),
      [],
      name,
    );
    assert.doesNotMatch(name, /(milliseconds|_ms|minutes|hours|kilobytes|percent)(_|$)/, name);
  }
});

test('every alert and every panel names only metrics and labels that exist', () => {
  assert.ok(rules.length > 20 && dashboard.panels.length > 20);
  assert.deepEqual(
    rules.flatMap(({ alert, expr }) => unknownIn(expr, metrics).map((name) => `${alert}: ${name}`)),
    [],
  );
  const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [title, expr] as const),
  );
  assert.deepEqual(
    queries.flatMap(([title, expr]) => unknownIn(expr, metrics).map((name) => `${title}: ${name}`)),
    [],
  );
  assert.deepEqual(unknownIn('rate(pompa_gone_total[5m]) / pompa_queue_oldest_seconds{pool="x"}', metrics), [
    'pompa_gone_total',
    'pompa_queue_oldest_seconds{pool}',
  ]);
});

test('every metric of Pompa is in an alert or a panel, and in docs/METRICS.md, which lists no others', () => {
  const own = [...metrics.keys()].filter((name) => name.startsWith('pompa_')).sort();
  const asked = [
    ...rules.map(({ expr }) => expr),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ].join();
  assert.deepEqual(
    own.filter((name) => !new RegExp(`\\b${name}(_bucket|_sum|_count)?\\b`).test(asked)),
    [],
  );
  const listed = file('docs/METRICS.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split(' | ')[0] as string).matchAll(/`(pompa_\w+)(?:\{(.*?)\})?`/g)]);
  assert.deepEqual(listed.map(([, name]) => name).sort(), own);
  for (const [, name = '', labels = ''] of listed) {
    const found = [...(metrics.get(name)?.labels ?? [])].filter((label) => label !== 'le').sort();
    if (found.length > 0) assert.deepEqual(labels.split(',').sort(), found, name);
  }
});

test('every alert has a severity and a page of its own, which names it and its expression, and every page an alert', () => {
  const pages = [...files.keys()].filter((name) => name.startsWith('docs/runbooks/'));
  for (const { alert, expr, labels, annotations } of rules) {
    const page = file(annotations.runbook_url ?? '');
    assert.ok(page.startsWith(`# ${alert}\n`), alert);
    assert.ok(page.includes(`    ${expr}\n`), `${annotations.runbook_url} has another expression`);
    assert.ok(page.includes(`${annotations.summary} (\`${labels.severity}\`)`), alert);
    for (const part of ['**Means.**', '**Look at.**', '**Do.**']) assert.ok(page.includes(part), `${alert}: ${part}`);
  }
  assert.deepEqual(rules.map(({ annotations }) => annotations.runbook_url).sort(), pages.sort());
  const index = file('docs/RUNBOOKS.md');
  for (const page of pages) assert.ok(index.includes(`](${page.slice('docs/'.length)})`), page);
});
