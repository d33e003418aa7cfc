/** Sources that give all in one answer, asked without a network. */

import { DEFAULT_RANGES } from '../../src/domain/fuel.ts';
import type { Sweep } from '../../src/domain/reports/sweep.ts';
import { type Answer, type Ask, type AskOptions, NoAnswer, type Source } from '../../src/sources/source.ts';

/** What a sweep makes of one answer, JSON unless said otherwise. */
export function sweepOf(
  source: Source,
  body: Uint8Array | string | object,
  answer: Partial<Answer> = {},
): Promise<Sweep> {
  const sent = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return sweepAsking(source, async () => ({
    status: 200,
    contentType: 'application/json',
    body: Buffer.from(sent),
    ...answer,
  }));
}

/** What a sweep makes of what `ask` gives. */
export function sweepAsking(source: Source, ask: Ask, signal = new AbortController().signal): Promise<Sweep> {
  return source.sweep({
    ask,
    parallel: 1,
    now: Date.parse('2026-11-20T08:00:00Z'),
    ranges: DEFAULT_RANGES,
    unitsWithRows: new Set(),
    extraUnits: [],
    onProgress: () => undefined,
    signal,
  });
}

/** An `ask` that only notes what it is asked. */
export function recordingAsk(recorded: [target: string, options: AskOptions | undefined][]): Ask {
  return async (target, options) => {
    recorded.push([target, options]);
    throw new NoAnswer('no answer from feed.example: the connection was refused');
  };
}
