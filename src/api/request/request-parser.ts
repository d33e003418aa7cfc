/** Requests that can be read at a glance: a GET in one piece, without a body, whose bytes leave no doubt about what is meant. */
import type { IncomingHttpHeaders } from 'node:http';

export type SimpleRead = {
  /** As sent, in origin form. */
  readonly target: string;
  /** By lower-case name; none was sent twice. */
  readonly headers: IncomingHttpHeaders;
  /** Whether the client wants the connection closed after the answer. */
  readonly last: boolean;
};

/** Longer ones are not looked at: 2 KiB hold all that browsers and programs usually send. */
const LONGEST = 2_048;
/** Clients send the same headers again and again: so many blocks of them are remembered with what they mean. */
const MEMORY = 1_024;

const METHOD = 'GET ';
const VERSION = ' HTTP/1.1';
const TARGET = /^\/[\w\-.~%!$&'()*+,;=:@/?]*$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
/** Headers that announce a body, another protocol or a dialogue: for whoever reads HTTP in full. */
const NOT_SIMPLE = new Set([
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'proxy-connection',
  'http2-settings',
  '__proto__',
]);

/** The line of a key: a secret, and nearly always another one, so it is not remembered with the rest. */
const KEY = 'x-api-key';
const KEY_LINE = /\r\nx-api-key:[ \t]*([\t\x20-\x7e\x80-\xff]*)(?=\r\n)/i;

type Block = Pick<SimpleRead, 'headers' | 'last'>;

/**
 * Makes a reader of requests, one character per byte; `null` = not one of these. Source: RFC 9112, 2 to 6; anything
 * unusual is left to the full reader.
 */
export function simpleReads(): (text: string) => SimpleRead | null {
  const blocks = rememberedBlocks();
  return (text) => {
    if (text.length > LONGEST || !text.startsWith(METHOD)) return null;
    const end = text.indexOf('\r\n');
    if (!text.endsWith(VERSION, end)) return null;
    const target = text.slice(METHOD.length, end - VERSION.length);
    if (!TARGET.test(target)) return null;
    const lines = text.slice(end);
    const key = KEY_LINE.exec(lines);
    if (key === null) {
      const block = blocks(lines);
      return block && { target, headers: block.headers, last: block.last };
    }
    const others = lines.slice(0, key.index) + lines.slice(key.index + key[0].length);
    // A second one.
    if (KEY_LINE.test(others)) return null;
    const block = blocks(others);
    return block && { target, headers: { ...block.headers, [KEY]: (key[1] as string).trimEnd() }, last: block.last };
  };
}

function rememberedBlocks(): (lines: string) => Block | null {
  const known = new Map<string, Block | null>();
  return (lines) => {
    let block = known.get(lines);
    if (block === undefined) {
      block = blockOf(lines);
      if (known.size >= MEMORY) known.clear();
      known.set(lines, block);
    }
    return block;
  };
}

/** The headers, from the end of the first line to the empty one, which must be the end of all. */
function blockOf(text: string): Block | null {
  if (!text.endsWith('\r\n\r\n')) return null;
  const headers: IncomingHttpHeaders = {};
  for (const line of text.slice(2, -4).split('\r\n')) {
    const [, written = '', value = ''] = HEADER.exec(line) ?? [];
    const name = written.toLowerCase();
    if (name === '' || NOT_SIMPLE.has(name) || headers[name] !== undefined) return null;
    headers[name] = value.trimEnd();
  }
  const connection = headers.connection?.toLowerCase() ?? 'keep-alive';
  if (headers.host === undefined || (connection !== 'keep-alive' && connection !== 'close')) return null;
  return { headers, last: connection === 'close' };
}
