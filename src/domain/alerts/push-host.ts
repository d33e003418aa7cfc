/** Where push messages may be sent: the entries of `PUSH_HOSTS`, and whether an endpoint is on one of them. Rule 41. */

/** A host (`fcm.googleapis.com`), all hosts below one (`*.push.apple.com`), or a full origin (`http://127.0.0.1:9000`). */
export type PushHost = string;

const HOST_PATTERN = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;

/** Whether a text is an entry, in lower case: a full origin, or a host with at least two labels and at most one `*.` in front. */
export function isPushHost(text: string): boolean {
  if (text.length > 253) return false;
  return text.includes('://') ? originOf(text) === text : HOST_PATTERN.test(text);
}

export type PushAddress = {
  readonly url: URL;
  /** Whether the operator named this very origin: it may then be private, or without TLS. */
  readonly isConfiguredOrigin: boolean;
};

/** Longer than any push service makes them; browsers' own are 100 to 700 characters. */
const MAX_ENDPOINT_LENGTH = 2_000;

/** The address of an endpoint that may be sent to; `null` = it may not. */
export function pushAddress(endpoint: string, allowed: readonly PushHost[]): PushAddress | null {
  const url = endpoint.length <= MAX_ENDPOINT_LENGTH ? URL.parse(endpoint) : null;
  if (url === null || url.username !== '' || url.password !== '' || /[\s#]/.test(endpoint)) return null;
  // Other schemes may have the origin of what they wrap: `blob:http://…`.
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
