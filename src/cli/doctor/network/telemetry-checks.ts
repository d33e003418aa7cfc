/** Checks where metrics are shown and traces go. */
import { isIP } from 'node:net';
import { isPrivateLiteral } from '../../../clients/http/private-address.ts';
import { checkReachable } from '../../../clients/http/reachability.ts';
import { type Config, httpOrigin } from '../../../config/config.ts';
import { integerBetween } from '../../../config/parse.ts';
import { messageOf } from '../../../store/database-errors.ts';
import { type Finding, fail, pass } from '../../reports/finding.ts';
import { isAnyAddress, isOfAnotherMachine, isOnLoopback, ownAddress, ownAddresses } from './own-addresses.ts';

type Settings = Pick<
  Config,
  'METRICS_HOST' | 'METRICS_PORT' | 'PORT' | 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'
>;

const TIMEOUT_MS = 3_000;

type Surroundings = {
  readonly isContainer: boolean;
  /** The IP addresses of all interfaces. */
  readonly addresses: readonly string[];
  /** `WORKER_METRICS_PORT`, which the units of systemd make the worker's `METRICS_PORT`; '' = unset. */
  readonly workerPort: string;
};

/** Never rejects. */
export async function telemetryFindings(
  config: Settings,
  surroundings: Surroundings = ownSurroundings(),
): Promise<Finding[]> {
  const findings = [
    metrics(config),
    metricsOfWorker(config, surroundings),
    readersOfMetrics(config, surroundings),
    traces(config),
  ];
  return (await Promise.all(findings)).filter((finding) => finding !== null);
}

function ownSurroundings(): Surroundings {
  const { container, WORKER_METRICS_PORT } = process.env;
  return { isContainer: container !== undefined, addresses: ownAddresses(), workerPort: WORKER_METRICS_PORT ?? '' };
}

/**
 * Who can read them, where that is not this machine alone. All addresses of a container are those of its network,
 * unless it has the network of its machine.
 */
function readersOfMetrics(
  { METRICS_HOST, METRICS_PORT }: Settings,
  { isContainer, addresses, workerPort }: Surroundings,
): Finding | null {
  if ((METRICS_PORT === null && workerPort === '') || isOnLoopback(METRICS_HOST)) return null;
  const where = `METRICS_HOST is ${METRICS_HOST}`;
  const isAny = isAnyAddress(METRICS_HOST);
  const shown = isAny ? addresses.find((address) => isPublic(address) && listensOn(METRICS_HOST, address)) : undefined;
  const isKept = isAny ? isContainer && shown === undefined : !isPublic(METRICS_HOST);
  if (isKept)
    return pass(
      'readers of metrics',
      `${where}: anybody who reaches this address reads them; keep it inside your network`,
    );
  const by = shown === undefined ? '' : ` by ${shown}`;
  return fail(
    'readers of metrics',
    `${where}, which other networks may reach${by}: anybody who reaches it reads the metrics`,
    'set METRICS_HOST to 127.0.0.1, or to the address of this machine inside your network, such as 10.0.0.5',
  );
}

/** Whether what listens on all addresses listens on this one: on `::`, it does on those of IPv4, too. */
function listensOn(anyAddress: string, address: string): boolean {
  return anyAddress === '::' || isIP(address) === 4;
}

async function metrics(settings: Settings): Promise<Finding> {
  const { METRICS_PORT: port, PORT } = settings;
  if (port === null) return pass('metrics', 'off: METRICS_PORT is unset');
  if (port === PORT && port !== 0) {
    const detail = `METRICS_PORT and PORT are both ${port}: serve does not start`;
    return fail('metrics', detail, 'set METRICS_PORT to another port, such as 9464');
  }
  const advice = 'set METRICS_PORT to a free port, such as 9465; each process needs its own';
  return page(settings, port, { check: 'metrics', command: 'serve', advice });
}

async function metricsOfWorker(settings: Settings, { workerPort }: Surroundings): Promise<Finding | null> {
  if (workerPort === '') return null;
  const worker = {
    check: 'metrics of the worker',
    command: 'worker',
    advice: 'set WORKER_METRICS_PORT to a free port, such as 9465',
  };
  const wrong = (why: string) => fail(worker.check, `${why}: worker does not start`, worker.advice);
  let port: number;
  try {
    port = integerBetween(0, 65_535, 9465)(workerPort);
  } catch (error) {
    return wrong(`WORKER_METRICS_PORT ${messageOf(error)}`);
  }
  const same = (['PORT', 'METRICS_PORT'] as const).find((name) => port !== 0 && settings[name] === port);
  return same === undefined ? page(settings, port, worker) : wrong(`WORKER_METRICS_PORT and ${same} are both ${port}`);
}

type Listener = { readonly check: string; readonly command: string; readonly advice: string };

/** What answers on a port of metrics, if anything does. */
async function page({ METRICS_HOST }: Settings, port: number, { check, command, advice }: Listener): Promise<Finding> {
  if (port === 0) return pass(check, 'on a free port, which the log names; Prometheus needs a fixed one');
  if (isOfAnotherMachine(METRICS_HOST)) {
    const detail = `METRICS_HOST is ${METRICS_HOST}, which is no address of this machine: ${command} does not start`;
    return fail(check, detail, 'set METRICS_HOST to one of its addresses, such as 127.0.0.1');
  }
  const address = `${httpOrigin(ownAddress(METRICS_HOST), port)}/metrics`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
    if ((await response.text()).includes('pompa_')) return pass(check, `${address} answers`);
    return fail(check, `something else than Pompa answers at ${address}: ${command} does not start`, advice);
  } catch (error) {
    const { cause } = error as Error;
    if ((cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED')
      return pass(check, `${address}, once a process runs`);
    return fail(check, `what listens on port ${port} gives no metrics: ${messageOf(cause ?? error)}`, advice);
  }
}

/** Whether it is an IP address of the internet; of a name nothing is known. */
function isPublic(host: string): boolean {
  return isIP(host) !== 0 && !isPrivateLiteral(new URL(httpOrigin(host, 0)));
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
