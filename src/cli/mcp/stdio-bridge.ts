/** Passes messages from stdin to a service and its answers to stdout: one JSON object a line, in either direction. */
import type { Readable, Writable } from 'node:stream';
import { isObject } from '../../json/is-object.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { type Message, NoServiceAnswer, type ServicePost } from './service-post.ts';

export type StdioBridge = {
  readonly input: Readable;
  readonly output: Writable;
  readonly post: ServicePost;
  /** Ends the bridge, answers under way included. */
  readonly signal: AbortSignal;
};

/** What the service accepts. A longer line is refused without being kept. */
const MAX_LINE_BYTES = 64 * 1024;
/** Messages under way; the rest waits on stdin. */
const MAX_UNDER_WAY = 8;
const [PARSE_ERROR, INVALID_REQUEST, NO_ANSWER] = [-32_700, -32_600, -32_000];

/** Resolves when the input has ended and every answer is written, or when the signal aborts. */
export async function bridgeStdio({ input, output, post, signal }: StdioBridge): Promise<void> {
  const underWay = new Map<Promise<void>, { readonly id: unknown; readonly stop: AbortController }>();
  const write = (text: string) => void output.write(`${text}\n`);
  const writeError = (id: unknown, code: number, message: string) =>
    write(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: id ?? null }));
  const answer = async (message: Message, stop: AbortController): Promise<void> => {
    try {
      const text = await post(message, AbortSignal.any([signal, stop.signal]));
      if (text !== null && 'id' in message && !stop.signal.aborted) write(text);
    } catch (error) {
      if (signal.aborted || stop.signal.aborted || !('id' in message)) return;
      writeError(message.id, NO_ANSWER, error instanceof NoServiceAnswer ? error.message : 'the message failed');
    }
  };
  const receive = (line: string): void => {
    const message = tryParseJson(line);
    if (message === undefined) writeError(null, PARSE_ERROR, 'a line is not JSON');
    else if (!isObject(message)) writeError(null, INVALID_REQUEST, 'a line must be one JSON-RPC message, an object');
    else if (message.method === 'notifications/cancelled') cancel(message);
    else begin(message);
  };
  const begin = (message: Message): void => {
    const stop = new AbortController();
    const done = answer(message, stop).finally(() => underWay.delete(done));
    underWay.set(done, { id: message.id, stop });
  };
  const cancel = ({ params }: Message): void => {
    const cancelled = isObject(params) ? params.requestId : undefined;
    for (const { id, stop } of underWay.values()) if (id === cancelled) stop.abort();
  };
  const stopReading = () => input.destroy();
  signal.addEventListener('abort', stopReading);
  try {
    for await (const line of lines(input, () => writeError(null, INVALID_REQUEST, 'a line is longer than 64 KiB'))) {
      receive(line);
      while (underWay.size >= MAX_UNDER_WAY) await Promise.race(underWay.keys());
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stopReading);
  }
  await Promise.all(underWay.keys());
}

/** The lines of the input that are not empty and not too long. */
async function* lines(input: Readable, onTooLong: () => void): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_LINE_BYTES) parts.push(part);
    else parts = [];
  };
  const take = (): string => {
    if (bytes > MAX_LINE_BYTES) onTooLong();
    const line = Buffer.concat(parts).toString().trim();
    [parts, bytes] = [[], 0];
    return line;
  };
  for await (const chunk of input) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      add(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const line = take();
      if (line !== '') yield line;
    }
    add(rest);
  }
  const last = take();
  if (last !== '') yield last;
}
