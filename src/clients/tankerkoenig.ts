/** Requests from Tankerkönig the stations around a point in Germany: one request, bounded in time and size. */
import type { GermanSearch } from '../domain/german-station.ts';
import { createJsonClient } from './http/json-client.ts';
import { type GermanSearchResult, readTankerkoenig } from './tankerkoenig-answer.ts';

export type TankerkoenigOptions = {
  /** Its address; `/json/list.php` is appended. */
  readonly url: string;
  readonly apiKey: string;
  readonly userAgent: string;
  /** Whether loopback and private addresses are allowed: only if the operator has set the address. */
  readonly allowPrivate: boolean;
};

export type GermanSource = {
  /** Sends one request. Any error becomes a `failed` within the time limit; it never names the key. */
  ask(search: GermanSearch, withinMs: number): Promise<GermanSearchResult>;
  /** Aborts requests in flight. */
  close(): Promise<void>;
};

/** For connecting, waiting and reading together. */
const ANSWER_DEADLINE_MS = 4_000;
/** 25 km around the densest point have about 150 KB. */
const MAX_ANSWER_BYTES = 1_000_000;
/** Further calls wait, within their own time. */
const MAX_CONCURRENT = 8;
const LONGEST_REASON = 200;

/** The source as set by the operator. */
export function createTankerkoenig({ url, apiKey, userAgent, allowPrivate }: TankerkoenigOptions): GermanSource {
  const client = createJsonClient({
    userAgent,
    timeoutMs: ANSWER_DEADLINE_MS,
    maxBytes: MAX_ANSWER_BYTES,
    // A retry would be a request that no budget has counted.
    retries: 0,
    parallel: MAX_CONCURRENT,
    allowPrivate,
  });
  return {
    async ask(search, withinMs) {
      const response = await client.request(requestUrl(url, search, apiKey), { withinMs });
      const result = 'failed' in response ? response : readTankerkoenig(response);
      return 'failed' in result ? { failed: sanitizedReason(result.failed, apiKey) } : result;
    },
    close: () => client.close(),
  };
}

/** The parameters in the order of the source's own examples. */
function requestUrl(url: string, { lat, lng, radiusKm }: GermanSearch, apiKey: string): string {
  const query = new URLSearchParams({
    lat: String(lat),
    lng: String(lng),
    rad: String(radiusKm),
    sort: 'dist',
    type: 'all',
    apikey: apiKey,
  });
  return `${url}/json/list.php?${query}`;
}

/** One short line; the source may repeat the key in what it says. */
function sanitizedReason(reason: string, apiKey: string): string {
  const line = reason.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.replaceAll(apiKey, '…').replaceAll(encodeURIComponent(apiKey), '…').slice(0, LONGEST_REASON);
}
