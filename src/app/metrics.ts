/** Counters of a running service, and the page that Prometheus reads them from. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Registry } from 'prom-client';
import { CommandError } from './command.ts';

export type Metrics = {
  /** Counts the questions that a routing engine failed to answer; there from the first reading on, with 0. */
  routerFailures(engine: string): { inc(): void };
  /** All of them as Prometheus text. */
  text(): Promise<string>;
};

/** Counters of its own: two services in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const routerFailures = new Counter({
    name: 'pompa_router_failures_total',
    help: 'Questions that the routing engine failed to answer, so that the built-in roads did.',
    labelNames: ['engine'],
    registers: [registry],
  });
  return {
    routerFailures: (engine) => {
      const counter = routerFailures.labels(engine);
      counter.inc(0);
      return counter;
    },
    text: () => registry.metrics(),
  };
}

/** Gives the metrics on the port of the settings, where one is set, and says where. Throws `Failure` when it cannot be had. */
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

/** `/metrics` on a port of loopback, 0 = a free one. Rejects when the port cannot be had. */
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
