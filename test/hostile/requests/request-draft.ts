/** A request before it becomes bytes, and one after: what is sent, and what is known of the answer. */

export type RequestDraft = {
  method: string;
  /** As it stands in the first line; every character one byte. */
  target: string;
  version: string;
  /** Names and values as they are written; every character one byte. */
  headers: [name: string, value: string][];
  body: Buffer;
};

export type HostileRequest = {
  readonly bytes: Buffer;
  /** What kind of malice it is, for people. */
  readonly kind: string;
  /** Whether the client ends its side after the last byte; else the request itself asks to close. */
  readonly halfClose: boolean;
  /** How many answers must come; `null` = at least one, at most one for each first line among the bytes. */
  readonly answers: number | null;
  /** The statuses of the last answer that are right, where that is known. */
  readonly statuses?: readonly number[];
};

/** The bytes of a request. Its `Content-Length` is set where the draft has a body and says nothing of it. */
export function bytesOf({ method, target, version, headers, body }: RequestDraft): Buffer {
  const hasLength = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name.trim()));
  const all = body.length > 0 && !hasLength ? [...headers, ['Content-Length', String(body.length)]] : headers;
  const lines = all.map(([name, value]) => `${name}:${value === '' ? '' : ' '}${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} ${version}\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

/** A text of any letters as one character per byte. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}
