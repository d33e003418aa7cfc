/** Which content coding an answer is sent in. Source: RFC 9110, 12.4.2 and 12.5.3. */
import { BoundedMap } from '../../concurrency/bounded-map.ts';

/** The codings offered; among equally preferred ones the first wins. */
export const ENCODINGS = ['br', 'zstd', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Negotiated = {
  readonly best: Encoding;
  /** Whether the unencoded body is acceptable too: a tiny one is not worth compressing. */
  readonly identityAllowed: boolean;
};

const IDENTITY: Negotiated = { best: 'identity', identityAllowed: true };
const MAX_CACHED_HEADERS = 512;
const cache = new BoundedMap<Negotiated>(MAX_CACHED_HEADERS);

/**
 * Parses an `Accept-Encoding` header. Without a header, or if it accepts nothing that is offered, the result is
 * `identity`: the field may be disregarded (RFC 9110, 12.1), and the contract has no 406. Few distinct headers occur,
 * so results are cached.
 */
export function negotiate(header: string | undefined): Negotiated {
  if (header === undefined) return IDENTITY;
  const known = cache.get(header);
  if (known) return known;
  const verdict = parseAcceptEncoding(header);
  if (header.length <= 200) cache.set(header, verdict);
  return verdict;
}

function parseAcceptEncoding(header: string): Negotiated {
  const weights = new Map<string, number>();
  for (const member of header.toLowerCase().split(',')) addWeight(weights, member);
  const rest = weights.get('*');
  const weightOf = (encoding: Encoding): number =>
    // Unlisted `identity` is acceptable but least preferred; any other unlisted coding is not acceptable.
    weights.get(encoding) ?? rest ?? (encoding === 'identity' ? Number.MIN_VALUE : 0);
  const best = ENCODINGS.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  return weightOf(best) > 0 ? { best, identityAllowed: weightOf('identity') > 0 } : IDENTITY;
}

/** Ignores a member whose weight is invalid. */
function addWeight(weights: Map<string, number>, member: string): void {
  const match = /^\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/.exec(member);
  if (!match?.[1]) return;
  const name = match[1] === 'x-gzip' ? 'gzip' : match[1];
  weights.set(name, Math.max(weights.get(name) ?? 0, match[2] === undefined ? 1 : Number(match[2])));
}
