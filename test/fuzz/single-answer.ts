/** Sweeps of sources that need only one answer, without a network. */

import { NoResponse, type ReceivedResponse } from '../../src/clients/http/response.ts';
import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import type { Sweep } from '../../src/domain/reports/sweep.ts';
import type { Fetch, FetchOptions, Source } from '../../src/sources/source.ts';

/** Sweeps a source that receives this answer, by default as JSON. */
export function sweepOf(
  source: Source,
  body: Uint8Array | string | object,
  answer: Partial<ReceivedResponse> = {},
): Promise<Sweep> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return sweepWithFetch(source, async () => ({
    status: 200,
    contentType: 'application/json',
    body: Buffer.from(sent),
    ...answer,
  }));
}

/** The result of a sweep whose requests `fetch` answers. */
export function sweepWithFetch(source: Source, fetch: Fetch, signal = new AbortController().signal): Promise<Sweep> {
  return source.sweep({
    fetch,
    parallel: 1,
    now: Date.parse('2026-11-20T08:00:00Z'),
    ranges: DEFAULT_RANGES,
    unitsWithRows: new Set(),
    extraUnits: [],
    onProgress: () => undefined,
    signal,
  });
}

/** A `fetch` that records its requests and fails each of them. */
export function capturingFetch(recorded: [target: string, options: FetchOptions | undefined][]): Fetch {
  return async (target, options) => {
    recorded.push([target, options]);
    throw new NoResponse('no answer from feed.example: the connection was refused');
  };
}
