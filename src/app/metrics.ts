/** Counters of a running service, and the server that Prometheus scrapes. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, Gauge, Registry } from 'prom-client';
import type { SiteRefusals } from '../api/access/site-limit.ts';
import type { ConnectionCounts } from '../api/http/connection/connection-limiter.ts';
import type { WebhookOutcome } from '../clients/webhook-sender.ts';
import { SingleFlight } from '../concurrency/single-flight.ts';
import { MAIL_DAYS, WEBHOOK_EVENT_DAYS } from '../domain/access/retention.ts';
import type { DumpManifest } from '../dumps/manifest.ts';
import type { BackupStatus } from '../store/backup/backup-runs.ts';
import type { BillingStatus } from '../store/billing/billing-status.ts';
import type { EventOutcome } from '../worker/billing/look-again.ts';
import { registerBackups } from './backups/backup-metrics.ts';
import { CommandError } from './command.ts';

export type Metrics = {
  /** Counts the requests that a routing engine failed to answer. Exists from the first scrape on, starting at 0. */
  routerFailures(engine: string): { inc(): void };
  /** Shows the connections of the API from now on; read at each scrape. */
  observeConnections(counts: () => ConnectionCounts): void;
  /** Shows orders, mails and events as the database has them; read at each scrape, nothing while it is away. */
  observeBilling(read: () => Promise<BillingStatus>): void;
  /** Counts the requests to the webhook by what came of them. */
  webhooks(outcome: StripeEventOutcome): void;
  /** Counts the tries to deliver to a customer's webhook by how they ended. */
  deliveries(outcome: WebhookOutcome['kind']): void;
  /** Shows whom the limit of the site refused from now on; read at each scrape. */
  observeSiteRefusals(refusals: SiteRefusals): void;
  /** Shows the age of the dumps from now on; read at each scrape, nothing while there are none. */
  observeDumps(read: () => Pick<DumpManifest, 'madeAt' | 'updatedAt'> | null): void;
  /** Shows the newest backup and drill from now on; read at each scrape, nothing while there are none. */
  observeBackups(read: () => Promise<BackupStatus>): void;
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
    observeBilling: (read) => registerBilling(registry, read),
    webhooks: webhookCounter(registry),
    deliveries: deliveryCounter(registry),
    observeConnections: (counts) => registerConnections(registry, counts),
    observeSiteRefusals: (refusals) => registerSiteRefusals(registry, refusals),
    observeDumps: (read) => registerDumps(registry, read),
    observeBackups: (read) => registerBackups(registry, read),
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

function registerDumps(registry: Registry, read: Parameters<Metrics['observeDumps']>[0]): void {
  const gauge = (name: string, help: string, of: 'madeAt' | 'updatedAt') =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        // Without labels it would show 0 where nothing was set.
        this.remove();
        const at = read()?.[of] ?? null;
        if (at !== null) this.set(at / 1000);
      },
    });
  gauge('pompa_dumps_made_timestamp_seconds', 'When the published files of open data were made.', 'madeAt');
  gauge('pompa_dumps_data_timestamp_seconds', 'When the sources of the data in them were last read.', 'updatedAt');
}

/**
 * What came of posting an event: stored, not signed by Stripe, or not stored because the database was away. Then, of
 * looking again at what it is about.
 */
type StripeEventOutcome = 'accepted' | 'refused' | 'unavailable' | EventOutcome;

function webhookCounter(registry: Registry): (outcome: StripeEventOutcome) => void {
  let counter: Counter | undefined;
  return (outcome) => {
    counter ??= new Counter({
      name: 'pompa_webhooks_total',
      help: 'Events of Stripe: posted (accepted, refused, unavailable) and looked at again (done, unknown, failed).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    counter.inc({ outcome });
  };
}

function deliveryCounter(registry: Registry): (outcome: WebhookOutcome['kind']) => void {
  let counter: Counter | undefined;
  return (outcome) => {
    counter ??= new Counter({
      name: 'pompa_webhook_deliveries_total',
      help: 'Tries to post changes to webhooks of customers: delivered, failed (tried again or given up), gone (410).',
      labelNames: ['outcome'],
      registers: [registry],
    });
    counter.inc({ outcome });
  };
}

function registerBilling(registry: Registry, read: () => Promise<BillingStatus>): void {
  const flight = new SingleFlight<BillingStatus | null>();
  // One query for all figures of a scrape.
  const status = () => flight.get('status') ?? flight.start('status', () => read().catch(() => null));
  const gauge = (
    name: string,
    help: string,
    show: (into: Gauge, status: BillingStatus) => void,
    labelNames: string[],
  ) =>
    new Gauge({
      ...{ name, help, labelNames, registers: [registry] },
      async collect() {
        const known = await status();
        this.reset();
        if (known !== null) show(this, known);
      },
    });
  const byState = (name: string, help: string, countsOf: (status: BillingStatus) => Readonly<Record<string, number>>) =>
    gauge(
      name,
      help,
      (into, known) => {
        for (const [state, count] of Object.entries(countsOf(known))) into.set({ state }, count);
      },
      ['state'],
    );
  byState('pompa_orders', 'Orders of plans, by state.', ({ orders }) => orders);
  byState('pompa_mails', `Mails of the last ${MAIL_DAYS} days, by state.`, ({ mails }) => mails);
  byState(
    'pompa_stripe_events',
    `Events of Stripe of the last ${WEBHOOK_EVENT_DAYS} days, by state.`,
    ({ events }) => events,
  );
  gauge(
    'pompa_oldest_mail_seconds',
    'How long the oldest mail has been waiting that could have been sent; 0 = none.',
    (into, { oldestMailAt, now }) => into.set(oldestMailAt === null ? 0 : Math.max(0, now - oldestMailAt) / 1000),
    [],
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
