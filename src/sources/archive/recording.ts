/** Records a source's raw answers by run, so that a past day can be replayed through the current code. */
import { isUtf8 } from 'node:buffer';
import { NoResponse, type ReceivedResponse } from '../../clients/http/response.ts';
import type { Fetch } from '../source.ts';

/** One request and its outcome. `base64` marks a body that is not UTF-8 text. */
export type ArchivedAnswer =
  | { target: string; accept: string | null; status: number; contentType: string; body: string; base64?: true }
  | { target: string; accept: string | null; failed: string };

/** The destination of records; a write waits until the buffer has space. */
export type RecordSink = { write(record: ArchivedAnswer): Promise<void> };

/** Wraps `fetch` so that every answer, and every failure to get one, goes to the sink before it is returned. */
export function recordFetch(fetch: Fetch, sink: RecordSink): Fetch {
  return async (target, options) => {
    const question = { target, accept: options?.accept ?? null };
    try {
      const answer = await fetch(target, options);
      await sink.write({
        ...question,
        status: answer.status,
        contentType: answer.contentType,
        ...encodedBody(answer.body),
      });
      return answer;
    } catch (error) {
      if (error instanceof NoResponse) await sink.write({ ...question, failed: error.message });
      throw error;
    }
  };
}

export type ArchiveReplay = {
  readonly fetch: Fetch;
  /** Releases the records that were not requested. */
  close(): Promise<void>;
};

/**
 * Answers from records instead of the network. It reads the records only as far as a request needs; the ones it skips
 * wait for their own request. A target requested several times gets its answers in the order of the recording, and
 * `NoResponse` when the recording has no more.
 */
export function replayFetch(records: AsyncIterable<ArchivedAnswer>): ArchiveReplay {
  const reader = records[Symbol.asyncIterator]();
  const skipped = new Map<string, ArchivedAnswer[]>();
  let lastRead: Promise<unknown> = Promise.resolve();

  const find = async (target: string): Promise<ArchivedAnswer | null> => {
    const waiting = skipped.get(target)?.shift();
    if (waiting) return waiting;
    for (let next = await reader.next(); !next.done; next = await reader.next()) {
      if (next.value.target === target) return next.value;
      skipped.set(next.value.target, [...(skipped.get(next.value.target) ?? []), next.value]);
    }
    return null;
  };
  const fetch: Fetch = async (target) => {
    const found = lastRead.then(() => find(target));
    lastRead = found.catch(() => undefined);
    return answerOf(await found, target);
  };
  return { fetch, close: async () => void (await lastRead.then(() => reader.return?.())) };
}

function answerOf(record: ArchivedAnswer | null, target: string): ReceivedResponse {
  if (!record) throw new NoResponse(`the archive holds no answer to ${target}`);
  if ('failed' in record) throw new NoResponse(record.failed);
  const { status, contentType, body, base64 } = record;
  return { status, contentType, body: Buffer.from(body, base64 ? 'base64' : 'utf8') };
}

function encodedBody(body: Buffer): { body: string; base64?: true } {
  return isUtf8(body) ? { body: body.toString('utf8') } : { body: body.toString('base64'), base64: true };
}
