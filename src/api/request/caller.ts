import type { IncomingHttpHeaders } from 'node:http';

/** Who sends the request. */
export type Caller = {
  readonly headers: IncomingHttpHeaders;
  /** The other end of the connection. */
  readonly peer: { readonly remoteAddress?: string | undefined };
};
