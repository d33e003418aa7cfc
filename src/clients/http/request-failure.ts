/** Why a request got no answer, in one readable clause, and whether a retry may help. */

export class RequestFailure extends Error {
  readonly isRetryable: boolean;
  /** How long the host asked us to wait, in milliseconds; `null` = it did not say. */
  readonly retryAfterMs: number | null;

  constructor(why: string, isRetryable: boolean, retryAfterMs: number | null = null) {
    super(why);
    this.isRetryable = isRetryable;
    this.retryAfterMs = retryAfterMs;
  }
}

const FAILURES_BY_CODE: Readonly<Record<string, readonly [why: string, again: boolean]>> = {
  ECONNREFUSED: ['the connection was refused', true],
  ECONNRESET: ['the connection was broken off', true],
  EPIPE: ['the connection was broken off', true],
  ENOTFOUND: ['the host name is not known', true],
  EAI_AGAIN: ['the host name could not be looked up', true],
  EHOSTUNREACH: ['the host cannot be reached', true],
  ENETUNREACH: ['the network cannot be reached', true],
  ETIMEDOUT: ['the connection timed out', true],
  UND_ERR_CONNECT_TIMEOUT: ['the connection timed out', true],
  UND_ERR_HEADERS_TIMEOUT: ['the answer did not begin in time', true],
  UND_ERR_BODY_TIMEOUT: ['the answer stopped coming', true],
  UND_ERR_SOCKET: ['the connection was broken off', true],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['the answer was broken off', true],
  UND_ERR_HEADERS_OVERFLOW: ['the headers of the answer are too large', false],
  Z_BUF_ERROR: ['the compressed answer was broken off', true],
  PRIVATE_ADDRESS: ['the address is a private one, which is not allowed here', false],
};

/** Converts any error of a request to a `RequestFailure`. */
export function toRequestFailure(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  const code = codeOf(error);
  const known = FAILURES_BY_CODE[code];
  if (known) return new RequestFailure(known[0], known[1]);
  if (isCertificateCode(code)) {
    return new RequestFailure(`its certificate cannot be verified (${code})`, false);
  }
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new RequestFailure('the answer is not HTTP', true);
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return new RequestFailure(`no TLS connection (${code})`, true);
  if (/^Z_|^ERR_BROTLI|^ERR__ERROR_FORMAT|^ERR_PADDING/.test(code)) {
    return new RequestFailure('the compressed answer cannot be decoded', true);
  }
  return new RequestFailure(code === '' ? firstLine(error) : code, true);
}

/** Whether an error code says that the certificate of the other side cannot be verified. */
export function isCertificateCode(code: string): boolean {
  return /CERT|ISSUER|SIGNATURE|^ERR_TLS|SELF_SIGNED/.test(code);
}

/** The code of an error of the network; empty if it has none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0]?.slice(0, 200) ?? 'unknown trouble';
}
