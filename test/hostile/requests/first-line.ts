/** Parses the first line of a request by our own rules, not with the parser under attack. */
import http from 'node:http';

export type RequestLine = {
  readonly method: string;
  /** Decoded, but for a slash under a percent sign, which divides nothing; `null` = it cannot be decoded. */
  readonly path: string | null;
  /** As it was sent, without the question mark. */
  readonly query: string;
};

/** What the request that begins with these bytes asks for; `null` = that is no first line. */
export function parseRequestLine(bytes: Buffer): RequestLine | null {
  // Node's parser also silently accepts the first lines of two relatives of HTTP.
  const [, method = '', target = ''] =
    /^[\r\n]*([A-Z-]+) +([\x21-\x7e]+) +(?:HTTP|RTSP|ICE)\/1\.[01]\r?\n/.exec(bytes.toString('latin1', 0, 20_000)) ??
    [];
  return http.METHODS.includes(method)
    ? { method, path: pathOf(target), query: /\?(.*)$/.exec(target)?.[1] ?? '' }
    : null;
}

/** The path that a target means, in whatever form it is written. */
function pathOf(target: string): string | null {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '');
  const path = local.split(/[?#]/, 1)[0] as string;
  try {
    return decodeURIComponent((path.startsWith('/') ? path : `/${path}`).replaceAll(/%2f/gi, '%252F'));
  } catch {
    return null;
  }
}
