/** Parses simple reads: a GET in one chunk, without a body, whose bytes are unambiguous. */
import type { IncomingHttpHeaders } from 'node:http';
import { BoundedMap } from '../../../concurrency/bounded-map.ts';
import { isHost } from '../../request/host-header.ts';

export type ParsedRequest = {
  /** As sent, in origin form. */
  readonly target: string;
  /** By lower-case name; none occurs twice. */
  readonly headers: IncomingHttpHeaders;
  /** Whether the client wants the connection closed after the answer. */
  readonly closeAfter: boolean;
};

/** Longer requests go to Node's parser: browsers and programs usually send less. */
const MAX_REQUEST_LENGTH = 2_048;
/** Size of the cache of parsed header blocks: clients send the same block with each request. */
const MAX_CACHED_BLOCKS = 1_024;

const METHOD = 'GET ';
const VERSION = ' HTTP/1.1';
const TARGET = /^\/[\w\-.~%!$&'()*+,;=:@/?]*$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/;
/** Headers that announce a body, another protocol or an interim response: Node's parser handles them. */
const UNSUPPORTED_HEADERS = new Set([
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

/** The key's line is not cached with the other headers, which connections share: it is a client's own, and secret. */
const API_KEY_HEADER = 'x-api-key';
const API_KEY_LINE = /\r\nx-api-key:[ \t]*([\t\x20-\x7e\x80-\xff]*)(?=\r\n)/i;

type HeaderBlock = Pick<ParsedRequest, 'headers' | 'closeAfter'>;

/**
 * Makes a parser of request texts, one character per byte; `null` = not a simple read, which is left to Node's parser.
 * Source: RFC 9112, 2 to 6.
 */
export function createRequestParser(): (text: string) => ParsedRequest | null {
  const parseBlock = cachedHeaderBlocks();
  return (text) => {
    if (text.length > MAX_REQUEST_LENGTH || !text.startsWith(METHOD)) return null;
    const end = text.indexOf('\r\n');
    if (!text.endsWith(VERSION, end)) return null;
    const target = text.slice(METHOD.length, end - VERSION.length);
    if (!TARGET.test(target)) return null;
    const lines = text.slice(end);
    const key = API_KEY_LINE.exec(lines);
    if (key === null) {
      const block = parseBlock(lines);
      return block && { target, headers: block.headers, closeAfter: block.closeAfter };
    }
    const others = lines.slice(0, key.index) + lines.slice(key.index + key[0].length);
    // A second key.
    if (API_KEY_LINE.test(others)) return null;
    const block = parseBlock(others);
    return (
      block && {
        target,
        headers: { ...block.headers, [API_KEY_HEADER]: (key[1] as string).trimEnd() },
        closeAfter: block.closeAfter,
      }
    );
  };
}

function cachedHeaderBlocks(): (lines: string) => HeaderBlock | null {
  const known = new BoundedMap<HeaderBlock | null>(MAX_CACHED_BLOCKS);
  return (lines) => {
    let block = known.get(lines);
    if (block === undefined) {
      block = parseHeaderBlock(lines);
      known.set(lines, block);
    }
    return block;
  };
}

/** The headers, from the end of the first line to the empty line, which must end the text. */
function parseHeaderBlock(text: string): HeaderBlock | null {
  if (!text.endsWith('\r\n\r\n')) return null;
  const headers: IncomingHttpHeaders = {};
  for (const line of text.slice(2, -4).split('\r\n')) {
    const [, rawName = '', value = ''] = HEADER.exec(line) ?? [];
    const name = rawName.toLowerCase();
    if (name === '' || UNSUPPORTED_HEADERS.has(name) || headers[name] !== undefined) return null;
    headers[name] = value.trimEnd();
  }
  const connection = headers.connection?.toLowerCase() ?? 'keep-alive';
  if (headers.host === undefined || !isHost(headers.host) || (connection !== 'keep-alive' && connection !== 'close'))
    return null;
  return { headers, closeAfter: connection === 'close' };
}
