/** A request before it becomes bytes, and the bytes to send with the expected answer. */

export type RequestDraft = {
  method: string;
  /** As written in the first line; every character is one byte. */
  target: string;
  version: string;
  /** Names and values as sent; every character is one byte. */
  headers: [name: string, value: string][];
  body: Buffer;
};

export type HostileRequest = {
  readonly bytes: Buffer;
  /** The kind of hostile request, for reports. */
  readonly kind: string;
  /** Whether the client half-closes after the last byte; otherwise the request has `Connection: close`. */
  readonly halfClose: boolean;
  /** How many answers must arrive; `null` = at least one, at most one for each first line among the bytes. */
  readonly answers: number | null;
  /** The correct statuses of the last answer, where they are known. */
  readonly statuses?: readonly number[];
};

/** The bytes of a request; adds `Content-Length` where the draft has a body without a length. */
export function bytesOf({ method, target, version, headers, body }: RequestDraft): Buffer {
  const hasLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name.trim()));
  const all = body.length > 0 && !hasLength ? [...headers, ['Content-Length', String(body.length)]] : headers;
  const lines = all.map(([name, value]) => `${name}:${value === '' ? '' : ' '}${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

/** Encodes a text as UTF-8, one character per byte. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
