/** The id that a trusted proxy gives a request, and the trace that it belongs to. */
import { parseAddress } from './ip-address.ts';
import { isTrusted, type TrustedProxies } from './trusted-proxies.ts';

/** Long enough to be one, short enough for a line of a log, and no other characters than ids have. */
const REQUEST_ID = /^[\w.:-]{8,64}$/;
/** W3C Trace Context, version 00: trace, parent, flags. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads `X-Request-Id` and `traceparent`; without the first, the trace is the id. `null` = there is none that is well
 * formed, or the peer is no trusted proxy: anybody may send these headers.
 */
export function givenRequestId(
  headers: Headers,
  peer: string | undefined,
  proxies: TrustedProxies,
): { readonly id: string | null; readonly traceparent: string | null } | null {
  const sent = headers['x-request-id'];
  const parent = headers.traceparent;
  if (sent === undefined && parent === undefined) return null;
  const address = peer === undefined ? null : parseAddress(peer);
  if (address === null || !isTrusted(address, proxies)) return null;
  const trace = typeof parent === 'string' ? TRACEPARENT.exec(parent) : null;
  const id = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : (trace?.[1] ?? null);
  return id === null ? null : { id, traceparent: trace?.[0] ?? null };
}
