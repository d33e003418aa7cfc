/** What comes back from a call that leaves the house. */

/** One answer, as received: status, media type and the body after content decoding. */
export type ReceivedResponse = { readonly status: number; readonly contentType: string; readonly body: Buffer };

/** No answer could be had: refused, timed out, too large, broken off, or not in the archive. */
export class NoResponse extends Error {}
