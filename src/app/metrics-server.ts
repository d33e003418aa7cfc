/** The server that Prometheus scrapes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { CommandError } from './command.ts';

/** What is scraped, as Prometheus text. */
type ScrapedMetrics = { text(): Promise<string> };

/**
 * Serves the metrics if a port is set, and logs the address. Throws `CommandError` when the port cannot be listened on.
 */
export async function startMetricsServer(
  metrics: ScrapedMetrics,
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
async function listenForMetrics(metrics: ScrapedMetrics, port: number): Promise<MetricsServer> {
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

function listener(metrics: ScrapedMetrics): RequestListener {
  return (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end('not found: the metrics are at /metrics\n');
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
