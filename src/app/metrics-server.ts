/** The server that Prometheus scrapes. */
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from '../api/response/node-http.ts';
import { type Config, httpOrigin } from '../config/config.ts';
import { codeOf } from '../store/database-errors.ts';
import { CommandError } from './command.ts';

/** What is scraped, as Prometheus text. */
type ScrapedMetrics = { text(): Promise<string> };

/** What the system answers when a host is no address of this machine. */
const WRONG_HOST = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'];

/**
 * Serves the metrics if a port is set, and logs the address. Throws `CommandError` when it cannot listen there.
 */
export async function startMetricsServer(
  metrics: ScrapedMetrics,
  { METRICS_HOST, METRICS_PORT }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
  log: { info(message: string): void },
): Promise<Pick<MetricsServer, 'close'>> {
  if (METRICS_PORT === null) return { close: () => Promise.resolve() };
  const { Registry } = await import('prom-client');
  const respond = listener(metrics, Registry.PROMETHEUS_CONTENT_TYPE);
  const page = await listen(respond, METRICS_HOST, METRICS_PORT).catch((error: Error) => {
    if (!WRONG_HOST.includes(String(codeOf(error)))) throw new CommandError(`METRICS_PORT: ${error.message}`);
    const right = 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all';
    throw new CommandError(`METRICS_HOST must be ${right}, not ${METRICS_HOST}: ${error.message}`);
  });
  log.info(`metrics at ${page.address}`);
  return page;
}

type MetricsServer = { readonly address: string; close(): Promise<void> };

/** Serves `/metrics` on a port of a host; 0 = a free one. Rejects when it cannot listen there. */
async function listen(respond: RequestListener, host: string, port: number): Promise<MetricsServer> {
  const server = createServer(respond);
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(port, host, ready);
  });
  return {
    address: `${httpOrigin(host, (server.address() as AddressInfo).port)}/metrics`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

function listener(metrics: ScrapedMetrics, contentType: string): RequestListener {
  return (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end('not found: the metrics are at /metrics\n');
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
}
