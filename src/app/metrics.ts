/** Counters of a running service, and the server that Prometheus scrapes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import type { SiteRefusals } from '../api/access/site-limit.ts';
import type { ConnectionCounts } from '../api/http/connection/connection-limiter.ts';
import { CommandError } from './command.ts';

export type Metrics = {
  /** Counts the requests that a routing engine failed to answer. Exists from the first scrape on, starting at 0. */
  routerFailures(engine: string): { inc(): void };
  /** Shows the connections of the API from now on; read at each scrape. */
  observeConnections(counts: () => ConnectionCounts): void;
  /** Shows whom the limit of the site refused from now on; read at each scrape. */
  observeSiteRefusals(refusals: SiteRefusals): void;
  /** All counters as Prometheus text. */
  text(): Promise<string>;
};

/** Creates separate counters: two services in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const routerFailures = new Counter({
    name: 'pompa_router_failures_total',
    help: 'Requests that the routing engine failed to answer; the built-in roads answered instead.',
    labelNames: ['engine'],
    registers: [registry],
  });
  return {
    routerFailures: (engine) => {
      const counter = routerFailures.labels(engine);
      counter.inc(0);
      return counter;
    },
    observeConnections: (counts) => registerConnections(registry, counts),
    observeSiteRefusals: (refusals) => registerSiteRefusals(registry, refusals),
    text: () => registry.metrics(),
  };
}

function registerConnections(registry: Registry, counts: () => ConnectionCounts): void {
  const registers = [registry];
  new Gauge({
    ...{ name: 'pompa_connections', help: 'Connections of the API that are open.', registers },
    collect() {
      this.set(counts().open);
    },
  });
  const byReason = (name: string, help: string, read: () => Readonly<Record<string, number>>) =>
    new Counter({
      ...{ name, help, labelNames: ['reason'], registers },
      collect() {
        this.reset();
        for (const [reason, count] of Object.entries(read())) this.inc({ reason }, count);
      },
    });
  byReason(
    'pompa_connections_refused_total',
    'New connections refused, by what was used up: all connections, or the share of a client or a network.',
    () => counts().refused,
  );
  byReason(
    'pompa_connections_dropped_total',
    'Connections closed to make room for refused ones: nobody used them, or their clients did not read.',
    () => counts().dropped,
  );
}

function registerSiteRefusals(registry: Registry, refusals: SiteRefusals): void {
  new Counter({
    name: 'pompa_site_refused_total',
    help: 'Requests for pages and their files refused: by whose limit was used up: of a client, a network, or a confirmed crawler.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [limit, count] of Object.entries(refusals)) this.inc({ limit }, count);
    },
  });
}

/**
 * Serves the metrics if a port is set, and logs the address. Throws `CommandError` when the port cannot be listened on.
 */
export async function startMetricsServer(
  metrics: Metrics,
  port: number | null,
  log: { info(message: string): void },
): Promise<Pick<MetricsServer, 'close'>> {
  if (port === null) return { close: () => Promise.resolve() };
  const page = await listenForMetrics(metrics, port).catch((error: Error) => {
    throw new CommandError(`METRICS_PORT: ${error.message}`);
  });
  log.info(`metrics at ${page.address}`);
  return page;
}

type MetricsServer = { readonly address: string; close(): Promise<void> };

/** Serves `/metrics` on a loopback port; 0 = a free one. Rejects when it cannot listen there. */
async function listenForMetrics(metrics: Metrics, port: number): Promise<MetricsServer> {
  const server = createServer(listener(metrics));
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', ready);
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function listener(metrics: Metrics): RequestListener {
  return (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end('not found: the metrics are at /metrics\n');
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
