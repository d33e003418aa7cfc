/** A source's raw answers kept by run, so that a day can be read again through today's code. */
import { isUtf8 } from 'node:buffer';
import { NoResponse } from '../../clients/http/response.ts';
import type { Answer, Ask } from '../source.ts';

/** One question and what came of it. `base64` marks a body that is not UTF-8 text. */
export type ArchivedAnswer =
  | { target: string; accept: string | null; status: number; contentType: string; body: string; base64?: true }
  | { target: string; accept: string | null; failed: string };

/** Where records go; a write waits until there is room. */
export type RecordSink = { write(record: ArchivedAnswer): Promise<void> };

/** `ask`, with every answer, and every lack of one, handed to the sink before it is handed on. */
export function recordAsk(ask: Ask, sink: RecordSink): Ask {
  return async (target, options) => {
    const question = { target, accept: options?.accept ?? null };
    try {
      const answer = await ask(target, options);
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
  readonly ask: Ask;
  /** Lets go of the records that were not asked for. */
  close(): Promise<void>;
};

/**
 * Answers from records instead of the network. The records are read as far as a question needs; those passed over wait
 * for their own question. A target asked several times gets its answers in the order of the recording, and rejects with
 * `NoAnswer` when the recording has no more.
 */
export function replayAsk(records: AsyncIterable<ArchivedAnswer>): ArchiveReplay {
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
  const ask: Ask = async (target) => {
    const found = lastRead.then(() => find(target));
    lastRead = found.catch(() => undefined);
    return answerOf(await found, target);
  };
  return { ask, close: async () => void (await lastRead.then(() => reader.return?.())) };
}

function answerOf(record: ArchivedAnswer | null, target: string): Answer {
  if (!record) throw new NoResponse(`the archive holds no answer to ${target}`);
  if ('failed' in record) throw new NoResponse(record.failed);
  const { status, contentType, body, base64 } = record;
  return { status, contentType, body: Buffer.from(body, base64 ? 'base64' : 'utf8') };
}

function encodedBody(body: Buffer): { body: string; base64?: true } {
  return isUtf8(body) ? { body: body.toString('utf8') } : { body: body.toString('base64'), base64: true };
}
