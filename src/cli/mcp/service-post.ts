/** Posts one message to the `/mcp` of a service, with the headers that MCP over HTTP derives from it. */

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
    const response = await fetch(url, request).catch((error: Error) => {
      throw new NoServiceAnswer(`no answer from ${url.host}: ${causeOf(error)}`);
    });
    const text = await boundedText(response, url.host);
    if (text === '') return null;
    const answer = parsedObject(text);
    if (answer === null || !response.headers.get('content-type')?.startsWith('application/json'))
      throw new NoServiceAnswer(`${url.href} is no MCP server of Pompa: it answered ${response.status}`);
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

async function boundedText(response: Response, host: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new NoServiceAnswer(`the answer of ${host} is larger than 8 MiB`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function causeOf(error: Error): string {
  const { cause } = error;
  if (error.name === 'TimeoutError') return `none within ${TIMEOUT_MS / 1000} s`;
  if (cause instanceof AggregateError) return (cause.errors[0] as Error).message;
  return cause instanceof Error ? cause.message : error.message;
}

function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function stringOf(value: unknown, name: string): string | null {
  const found = isObject(value) ? value[name] : undefined;
  return typeof found === 'string' ? found : null;
}

/** Whether a JSON value is an object, no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
