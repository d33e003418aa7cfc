/** The outcome of an outbound request. */

/** One answer, as received: status, media type and the body after content decoding. */
export type ReceivedResponse = { readonly status: number; readonly contentType: string; readonly body: Buffer };

/** There is no answer: refused, timed out, too large, cut off, or not in the archive. */
export class NoResponse extends Error {}
