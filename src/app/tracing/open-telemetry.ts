/** Spans for OpenTelemetry, sent by OTLP over HTTP. Loads its library: import it only where traces are wanted. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { SpanOptions, Tracer } from '../../telemetry/tracing.ts';

export type OpenTelemetryOptions = {
  /** Without `/v1/traces`. */
  readonly endpoint: string;
  /** The part of the traces that begin here and are kept: 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  readonly onFailure: (why: string) => void;
};

/** More spans are dropped: a collector that is away must not fill the memory. */
const MAX_QUEUED_SPANS = 4_096;
const EXPORT_EVERY_MS = 2_000;
const EXPORT_TIMEOUT_MS = 5_000;

/** `close` sends what is left, in bounded time. */
export function createOpenTelemetry({ endpoint, ratio, version, onFailure }: OpenTelemetryOptions): {
  readonly tracer: Tracer;
  close(): Promise<void>;
} {
  const ignore = () => undefined;
  diag.setLogger({ error: onFailure, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MAX_QUEUED_SPANS,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'pompa', 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [processor],
  });
  const spans = provider.getTracer('pompa');
  const current = new AsyncLocalStorage<Context>();
  const contextOf = ({ traceparent }: SpanOptions): Context =>
    (traceparent ? remoteContext(traceparent) : null) ?? current.getStore() ?? ROOT_CONTEXT;
  const tracer: Tracer = {
    start(name, options) {
      const parent = contextOf(options);
      const kind = options.isServer === true ? SpanKind.SERVER : SpanKind.INTERNAL;
      const span = spans.startSpan(name, { kind, attributes: { ...options.attributes } }, parent);
      const context = trace.setSpan(parent, span);
      return {
        run: (work) => current.run(context, work),
        end: (attributes, error) => {
          if (attributes !== undefined) span.setAttributes({ ...attributes });
          if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: textOf(error) });
          span.end();
        },
      };
    },
  };
  return { tracer, close: () => provider.shutdown() };
}

/** Of a `traceparent` that was checked. */
function remoteContext(traceparent: string): Context {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
  });
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
