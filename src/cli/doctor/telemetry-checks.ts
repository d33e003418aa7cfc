/** Checks where metrics are shown and traces go. */
import { checkReachable } from '../../clients/http/reachability.ts';
import type { Config } from '../../config/config.ts';
import { messageOf } from '../../store/database-errors.ts';
import { type Finding, fail, pass } from './finding.ts';

type Settings = Pick<Config, 'METRICS_PORT' | 'PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>;

const TIMEOUT_MS = 3_000;

/** Never rejects. */
export async function telemetryFindings(config: Settings): Promise<Finding[]> {
  return Promise.all([metrics(config), traces(config)]);
}

async function metrics({ METRICS_PORT: port, PORT }: Settings): Promise<Finding> {
  if (port === null) return pass('metrics', 'off: METRICS_PORT is unset');
  if (port === 0) return pass('metrics', 'on a free port, which the log names; Prometheus needs a fixed one');
  if (port === PORT) {
    const detail = `METRICS_PORT and PORT are both ${port}: serve does not start`;
    return fail('metrics', detail, 'set METRICS_PORT to another port, such as 9464');
  }
  const address = `http://127.0.0.1:${port}/metrics`;
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
