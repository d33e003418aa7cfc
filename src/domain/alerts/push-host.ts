/**
 * Where push messages may be sent: the entries of `PUSH_HOSTS`, and whether an endpoint matches one of them. Rule 41.
 */

/**
 * A host (`fcm.googleapis.com`), all subdomains of one (`*.push.apple.com`), or a full origin
 * (`http://127.0.0.1:9000`).
 */
export type PushHost = string;

const HOST_PATTERN = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/**
 * Whether a lower-case text is a valid entry: a full origin, or a host of at least two labels with an optional leading
 * `*.`.
 */
export function isPushHost(text: string): boolean {
  if (text.length > 253) return false;
  return text.includes('://') ? originOf(text) === text : HOST_PATTERN.test(text);
}

export type PushAddress = {
  readonly url: URL;
  /** Whether the operator listed this exact origin: it may then be private, or without TLS. */
  readonly isConfiguredOrigin: boolean;
};

/** Longer than the endpoints of any push service; browsers' own have 100 to 700 characters. */
const MAX_ENDPOINT_LENGTH = 2_000;

/** Parses an endpoint; `null` = sending to it is not allowed. */
export function pushAddress(endpoint: string, allowed: readonly PushHost[]): PushAddress | null {
  const url = endpoint.length <= MAX_ENDPOINT_LENGTH ? URL.parse(endpoint) : null;
  if (url === null || url.username !== '' || url.password !== '' || /[\s#]/.test(endpoint)) return null;
  // Other schemes may report the origin of the URL they wrap: `blob:http://…`.
  if (!/^https?:$/.test(url.protocol) || url.href.length > MAX_ENDPOINT_LENGTH) return null;
  if (allowed.includes(url.origin)) return { url, isConfiguredOrigin: true };
  const onHost =
    url.protocol === 'https:' && url.port === '' && allowed.some((entry) => matchesHost(entry, url.hostname));
  return onHost ? { url, isConfiguredOrigin: false } : null;
}

function matchesHost(entry: PushHost, host: string): boolean {
  return entry.startsWith('*.') ? host.endsWith(entry.slice(1)) && host.length > entry.length - 1 : host === entry;
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
