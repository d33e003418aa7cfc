/** Requests JSON from one service while a client waits for it: a failure is a value, within a time limit. */
import { createDownloader, type DownloaderOptions } from './download.ts';
import { NoResponse, type ReceivedResponse } from './response.ts';

export type JsonClientOptions = Omit<DownloaderOptions, 'pauseMs'>;

type JsonRequest = {
  /** POSTed as a form, or as JSON; neither = GET. */
  readonly form?: Readonly<Record<string, string>> | undefined;
  readonly json?: string | undefined;
  /** For the whole answer, including the wait for a connection. */
  readonly withinMs: number;
};

export type JsonClient = {
  /** `failed` = there is no answer, and why, in a clause. Rejects only on a bug. */
  request(url: string, request: JsonRequest): Promise<ReceivedResponse | { readonly failed: string }>;
  /** Aborts requests in flight and closes the connections. */
  close(): Promise<void>;
};

export function createJsonClient(options: JsonClientOptions): JsonClient {
  const downloader = createDownloader({ ...options, pauseMs: 0 });
  return {
    async request(url, { form, json, withinMs }) {
      // A time-out takes whole milliseconds only.
      const ms = Math.max(1, Math.floor(withinMs));
      const signal = AbortSignal.timeout(ms);
      try {
        return await downloader.download(url, { accept: 'application/json', form, json, signal });
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        return { failed: signal.aborted ? `no complete answer within ${ms / 1000} s` : error.message };
      }
    },
    close: () => downloader.close(),
  };
}
