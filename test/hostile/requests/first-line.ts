/** Parses the first line of a request independently of the parser under attack. */
import http from 'node:http';

export type RequestLine = {
  readonly method: string;
  /** Decoded, except percent-encoded slashes, which separate nothing; `null` = it cannot be decoded. */
  readonly path: string | null;
  /** As sent, without the question mark. */
  readonly query: string;
};

/** Parses the first line of the request that begins with these bytes; `null` = they begin with none. */
export function parseRequestLine(bytes: Buffer): RequestLine | null {
  // Node's parser also accepts RTSP and ICE, two protocols similar to HTTP.
  const [, method = '', target = ''] =
    /^[\r\n]*([A-Z-]+) +([\x21-\x7e]+) +(?:HTTP|RTSP|ICE)\/(?:0\.9|1\.[01]|2\.0)\r?\n/.exec(
      bytes.toString('latin1', 0, 20_000),
    ) ?? [];
  return http.METHODS.includes(method)
    ? { method, path: pathOf(target), query: /\?(.*)$/.exec(target)?.[1] ?? '' }
    : null;
}

/** The path of a target in any form. */
function pathOf(target: string): string | null {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = local.split(/[?#]/, 1)[0] as string;
  try {
    return decodeURIComponent((path.startsWith('/') ? path : `/${path}`).replaceAll(/%2f/gi, '%252F'));
  } catch {
    return null;
  }
}
