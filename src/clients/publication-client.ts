/** Asks another server for the publication that it relays to its followers. */
import { PUBLICATION_PATH } from '../domain/prices/publication-announcement.ts';
import { createDownloader } from './http/download.ts';
import { NoResponse, type ReceivedResponse } from './http/response.ts';

export type PublicationClientOptions = {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  readonly userAgent: string;
  /** Largest part, bytes. */
  readonly maxPartBytes: number;
};

/** What answers there relays no publication; `advice` says what to do. */
export class NoPublication extends NoResponse {
  readonly advice: string;

  constructor(why: string, advice: string) {
    super(why);
    this.advice = advice;
  }
}

export type PublicationClient = {
  /**
   * The announcement as it was sent; `null` = it is still the one with this digest after `waitMs`. Rejects with
   * `NoResponse`, a sentence, if there is no answer or another one.
   */
  announcement(known: string | null, waitMs: number, signal: AbortSignal): Promise<Buffer | null>;
  /** The bytes of a part, unchecked. Rejects with `NoResponse`. */
  part(digest: string, signal: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
};

/** For an announcement, beyond the wait. */
const ANSWER_MS = 10_000;
/** For a part: 100 MB at 3 Mbit/s. */
const PART_MS = 300_000;
const MAX_ANNOUNCEMENT_BYTES = 16_384;
/** A server that sends to many at once asks some of them to come again. */
const PART_RETRIES = 5;

/** `longestWaitMs` bounds every `waitMs`. */
export function createPublicationClient(
  { url, token, userAgent, maxPartBytes }: PublicationClientOptions,
  longestWaitMs: number,
): PublicationClient {
  const common = { userAgent, pauseMs: 0, parallel: 1, allowPrivate: true };
  const announcements = createDownloader({
    ...{ ...common, timeoutMs: longestWaitMs + ANSWER_MS, maxBytes: MAX_ANNOUNCEMENT_BYTES, retries: 0 },
  });
  const parts = createDownloader({ ...common, timeoutMs: PART_MS, maxBytes: maxPartBytes, retries: PART_RETRIES });
  const base = `${url}${PUBLICATION_PATH}`;
  const authorization = `Bearer ${token}`;
  return {
    async announcement(known, waitMs, signal) {
      const wait = known === null ? '' : `?wait=${Math.ceil(waitMs / 1000)}`;
      const headers = { authorization, ...(known !== null && { 'if-none-match': `"${known}"` }) };
      const response = await announcements.download(`${base}${wait}`, { headers, signal });
      if (known !== null && response.status === 304) return null;
      return bodyOf(response, 'announcement');
    },
    part: async (digest, signal) =>
      bodyOf(await parts.download(`${base}/${digest}`, { headers: { authorization }, signal }), 'part'),
    close: async () => void (await Promise.all([announcements.close(), parts.close()])),
  };
}

function bodyOf({ status, body }: ReceivedResponse, what: 'announcement' | 'part'): Buffer {
  if (status === 200) return body;
  if (status === 401)
    throw new NoPublication('it refuses our FOLLOW_TOKEN', 'set FOLLOW_TOKEN to that of the server at FOLLOW_URL');
  if (status === 404 && what === 'announcement')
    throw new NoPublication(
      'it relays no publication: it is another program, or Pompa without FOLLOW_TOKEN',
      'check FOLLOW_URL, and set FOLLOW_TOKEN there, too',
    );
  throw new NoPublication(
    `it answered ${status} for ${what === 'part' ? 'a part of its publication' : PUBLICATION_PATH}`,
    'check FOLLOW_URL, and what stands before that server',
  );
}
