/** Spans of what a process does. Without a tracer nothing is made, and the work just runs. */
import { AsyncLocalStorage } from 'node:async_hooks';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Something that takes time; spans that are started during `run` are its children. */
export type OpenSpan = {
  run<T>(work: () => T): T;
  /** @param error what went wrong, if anything did. */
  end(attributes?: SpanAttributes, error?: unknown): void;
};

export type SpanOptions = {
  readonly attributes?: SpanAttributes;
  /** The span of a caller elsewhere, as its `traceparent` names it. */
  readonly traceparent?: string | null;
  /** Whether it answers a request. */
  readonly isServer?: boolean;
};

export type Tracer = { start(name: string, options: SpanOptions): OpenSpan };

let tracer: Tracer | null = null;

/** Makes spans from now on; `null` = none. For the whole process. */
export function useTracer(next: Tracer | null): void {
  tracer = next;
}

/** Whether spans are made. */
export function isTracing(): boolean {
  return tracer !== null;
}

/** Starts a span; `null` = nothing is traced. */
export function startSpan(name: string, options: SpanOptions): OpenSpan | null {
  return tracer === null ? null : tracer.start(name, options);
}

/** Does asynchronous work as a span. */
export function traced<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  const span = startSpan(name, { attributes });
  if (span === null) return work();
  return span.run(work).then(
    (result) => {
      span.end();
      return result;
    },
    (error) => {
      span.end({}, error);
      throw error;
    },
  );
}

/** Makes a function that runs outside of every request and span, whoever calls it: for work that requests share. */
export function outsideRequests<A extends readonly unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  const outside = AsyncLocalStorage.snapshot();
  return (...args) => outside(work, ...args);
}
