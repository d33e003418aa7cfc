/** Posts one message to the `/mcp` of a service, with the headers that MCP over HTTP derives from it. */

import { readBody } from '../../clients/http/decode.ts';
import { isObject } from '../../json/is-object.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';

export type Message = Readonly<Record<string, unknown>>;

/** The answer of the service as JSON text; `null` = none, as to a notification. */
export type ServicePost = (message: Message, signal: AbortSignal) => Promise<string | null>;

export type ServicePostOptions = {
  readonly url: URL;
  /** `null` = without a key. */
  readonly key: string | null;
  readonly userAgent: string;
};

/** The service could not be reached, or its answer is none of MCP: one sentence. */
export class NoServiceAnswer extends Error {}

const TIMEOUT_MS = 30_000;
/** Larger than the largest answer, the description of the API. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

export function createServicePost({ url, key, userAgent }: ServicePostOptions): ServicePost {
  /** What `initialize` agreed on, in revisions that begin with it. */
  let agreedVersion: string | null = null;
  return async (message, signal) => {
    const headers = {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'User-Agent': userAgent },
      ...(key !== null && { 'X-Api-Key': key }),
      ...protocolHeaders(message, agreedVersion),
    };
    const limits = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const request = {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      redirect: 'error',
      signal: limits,
    } as const;
    const { response, text } = await exchange(url, request);
    if (text === '') return null;
    const answer = tryParseJson(text);
    if (!isObject(answer) || !response.headers.get('content-type')?.startsWith('application/json'))
      throw new NoServiceAnswer(`${url.href} is not a Pompa MCP server: it answered ${response.status}`);
    if (message.method === 'initialize') agreedVersion = stringOf(answer.result, 'protocolVersion') ?? agreedVersion;
    // What refuses a request before it is read does not know its id.
    return JSON.stringify(answer.id === null && 'id' in message ? { ...answer, id: message.id } : answer);
  };
}

/** From 2026-07-28 on they repeat what the message says; before, they name the version agreed on. */
function protocolHeaders(message: Message, agreedVersion: string | null): Record<string, string> {
  const { method, params } = message;
  const meta = isObject(params) ? params._meta : undefined;
  const version = stringOf(meta, VERSION_KEY);
  if (version === null || typeof method !== 'string')
    return agreedVersion === null || method === 'initialize' ? {} : { 'MCP-Protocol-Version': agreedVersion };
  const name = stringOf(params, method === 'resources/read' ? 'uri' : 'name');
  return {
    ...{ 'MCP-Protocol-Version': version, 'Mcp-Method': method },
    ...(name !== null && { 'Mcp-Name': headerText(name) }),
  };
}

/** Other text than visible ASCII is sent as MCP encodes it. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?');
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** Sends the request and reads the whole answer. Throws a `NoServiceAnswer` with the cause if either fails. */
async function exchange(url: URL, request: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, request);
    // `fetch` has decompressed it.
    const bytes = await readBody((response.body ?? []) as AsyncIterable<Buffer>, 'identity', MAX_ANSWER_BYTES);
    return { response, text: bytes.toString() };
  } catch (error) {
    throw new NoServiceAnswer(`no answer from ${url.host}: ${causeOf(error as Error)}`);
  }
}

function causeOf(error: Error): string {
  const { cause } = error;
  if (error.name === 'TimeoutError') return `none within ${TIMEOUT_MS / 1000} s`;
  if (cause instanceof AggregateError) return (cause.errors[0] as Error).message;
  return cause instanceof Error ? cause.message : error.message;
}

function stringOf(value: unknown, name: string): string | null {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : null;
}
