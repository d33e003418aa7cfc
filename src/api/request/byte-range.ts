/** Which part of a file a request asks for. Source: RFC 9110, 14. */

/** Both ends included. */
export type ByteRange = { readonly first: number; readonly last: number };

/**
 * The part that a `Range` header asks for; `null` = all of it: no header, not one of bytes, malformed, or several parts
 * at once, which a server may ignore.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  if (from === '') {
    const length = Number(to);
    return length === 0 || size === 0 ? 'unsatisfiable' : { first: Math.max(0, size - length), last: size - 1 };
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)];
  if (to !== '' && Number(to) < first) return null;
  return first >= size ? 'unsatisfiable' : { first, last };
}

/** What a client has of a file. */
export type Validators = { readonly entityTag: string; readonly modifiedAt: number };

/** Whether the client has these bytes already. The tags win over the date. RFC 9110, 13.2.2. */
export function isUnchanged(
  headers: { readonly 'if-none-match'?: string | undefined; readonly 'if-modified-since'?: string | undefined },
  { entityTag, modifiedAt }: Validators,
): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined)
    return tags.split(',').some((tag) => ['*', entityTag].includes(tag.trim().replace(/^W\//, '')));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return !Number.isNaN(since) && wholeSecond(modifiedAt) <= since;
}

/** Whether a part may follow what the client has: only of the same bytes. RFC 9110, 13.1.5. */
export function mayContinue(ifRange: string | undefined, { entityTag, modifiedAt }: Validators): boolean {
  if (ifRange === undefined || ifRange.trim() === entityTag) return true;
  return !ifRange.includes('"') && Date.parse(ifRange) === wholeSecond(modifiedAt);
}

/** Dates in headers have whole seconds. */
function wholeSecond(instant: number): number {
  return Math.floor(instant / 1000) * 1000;
}
