/** Checks where metrics are shown and traces go. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPrivateLiteral } from '../../clients/http/private-address.ts';
import { checkReachable } from '../../clients/http/reachability.ts';
import { type Config, httpOrigin } from '../../config/config.ts';
import { isLoopback } from '../../config/parse.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type Finding, fail, pass } from './finding.ts';
import { isAnyAddress } from './settings-checks.ts';

type Settings = Pick<
  Config,
  'METRICS_HOST' | 'METRICS_PORT' | 'PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'
>;

const TIMEOUT_MS = 3_000;

/** Never rejects. */
export async function telemetryFindings(
  config: Settings,
  isContainer = process.env.container !== undefined,
): Promise<Finding[]> {
  const findings = [metrics(config), readersOfMetrics(config, isContainer), traces(config)];
  return (await Promise.all(findings)).filter((finding) => finding !== null);
}

/** Who can read them, where that is not this machine alone. In a container all addresses are those of its network. */
function readersOfMetrics({ METRICS_HOST, METRICS_PORT }: Settings, isContainer: boolean): Finding | null {
  if (METRICS_PORT === null || isOnLoopback(METRICS_HOST)) return null;
  const where = `METRICS_HOST is ${METRICS_HOST}`;
  const warning = 'anybody who reaches this address reads them; keep it inside your network';
  if (!isPublic(METRICS_HOST) && (isContainer || !isAnyAddress(METRICS_HOST)))
    return pass('readers of metrics', `${where}: ${warning}`);
  return fail(
    'readers of metrics',
    `${where}, which other networks may reach: anybody who reaches it reads the metrics`,
    'set METRICS_HOST to 127.0.0.1, or to the address of this machine inside your network, such as 10.0.0.5',
  );
}

async function metrics({ METRICS_HOST, METRICS_PORT: port, PORT }: Settings): Promise<Finding> {
  if (port === null) return pass('metrics', 'off: METRICS_PORT is unset');
  if (port === 0) return pass('metrics', 'on a free port, which the log names; Prometheus needs a fixed one');
  if (port === PORT) {
    const detail = `METRICS_PORT and PORT are both ${port}: serve does not start`;
    return fail('metrics', detail, 'set METRICS_PORT to another port, such as 9464');
  }
  if (isOfAnotherMachine(METRICS_HOST)) {
    const detail = `METRICS_HOST is ${METRICS_HOST}, which is no address of this machine: serve does not start`;
    return fail('metrics', detail, 'set METRICS_HOST to one of its addresses, such as 127.0.0.1');
  }
  const address = `${httpOrigin(ownAddress(METRICS_HOST), port)}/metrics`;
  const advice = 'set METRICS_PORT to a free port, such as 9465; each process needs its own';
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    if ((await response.text()).includes('pompa_')) return pass('metrics', `${address} answers`);
    return fail('metrics', `something else than Pompa answers at ${address}: serve does not start`, advice);
  } catch (error) {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED')
      return pass('metrics', `${address}, once a process runs`);
    return fail('metrics', `what listens on port ${port} gives no metrics: ${messageOf(cause ?? error)}`, advice);
  }
}

function isOnLoopback(host: string): boolean {
  const url = URL.parse(httpOrigin(host, 0));
  return url !== null && isLoopback(url);
}

/** Whether it is an IP address of the internet; of a name nothing is known. */
function isPublic(host: string): boolean {
  return isIP(host) !== 0 && !isPrivateLiteral(new URL(httpOrigin(host, 0)));
}

/** Whether it is an IP address that no interface of this machine has; of a name nothing is known. */
function isOfAnotherMachine(host: string): boolean {
  if (isIP(host) === 0 || isAnyAddress(host) || isOnLoopback(host)) return false;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return !own.some(({ address }) => address === host);
}

/** Where this machine reaches what listens on it. */
function ownAddress(host: string): string {
  if (!isAnyAddress(host)) return host;
  return host.includes(':') ? '::1' : '127.0.0.1';
}

async function traces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG }: Settings): Promise<Finding> {
  if (endpoint === null) return pass('traces', 'off: OTEL_EXPORTER_OTLP_ENDPOINT is unset');
  if (/\/v1\/traces$/.test(endpoint)) {
    const detail = 'OTEL_EXPORTER_OTLP_ENDPOINT ends with /v1/traces, which is added to it';
    return fail('traces', detail, `set it to ${endpoint.replace(/\/v1\/traces$/, '')}`);
  }
  const { host, port } = new URL(endpoint);
  if (port === '4317') {
    const detail = `port 4317 of ${host} is that of OTLP over gRPC; Pompa sends OTLP over HTTP`;
    return fail('traces', detail, 'set OTEL_EXPORTER_OTLP_ENDPOINT to the port for HTTP, usually 4318');
  }
  try {
    await checkReachable(endpoint, { withinMs: TIMEOUT_MS, allowPrivate: true });
    return pass('traces', `${host} is reachable; ${OTEL_TRACES_SAMPLER_ARG * 100} % are kept`);
  } catch (error) {
    const advice = 'start the collector, or unset OTEL_EXPORTER_OTLP_ENDPOINT';
    return fail('traces', `${host} cannot be reached: ${messageOf(error)}`, advice);
  }
}
