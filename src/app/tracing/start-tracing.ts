/** Traces, where an endpoint for them is configured. Otherwise nothing is loaded, and no span is made. */
import { WarnOnce } from '../../concurrency/warn-once.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { Config } from '../../config/config.ts';
import { useTracer } from '../../telemetry/tracing.ts';

/** How long a stopping process waits for its last spans to be sent. */
const CLOSE_TIMEOUT_MS = 3_000;

type TracingSettings = Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>;

/** Begins to trace the process; `close` sends what is left. A receiver that is away costs spans and one line of log. */
export async function startTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio }: TracingSettings,
  version: string,
  log: { info(message: string): void; warn(message: string): void },
): Promise<{ close(): Promise<void> }> {
  if (endpoint === null) return { close: async () => undefined };
  const { createOpenTelemetry } = await import('./open-telemetry.ts');
  const failures = new WarnOnce({
    warn: (why) => log.warn(`traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT: ${why}`),
  });
  const { tracer, close } = createOpenTelemetry({
    ...{ endpoint, ratio, version },
    onFailure: (why) => failures.failed(reasonOf(why)),
  });
  useTracer(tracer);
  log.info(`traces go to ${new URL(endpoint).host}`);
  return {
    async close() {
      useTracer(null);
      await withTimeout(CLOSE_TIMEOUT_MS, close()).catch(() => undefined);
    },
  };
}

/** The library reports errors as JSON with a stack. */
function reasonOf(report: string): string {
  return (/"(?:message|code)":"([^"]+)"/.exec(report)?.[1] ?? report).slice(0, 200);
}
