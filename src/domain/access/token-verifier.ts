/** What decides whether a captcha token is good: a provider, or the service's own proof of work. Rule 40. */

/** `rejected` = the verifier says no; `failed` = it gave no verdict, and why: its own fault or our settings. */
export type TokenVerdict = 'accepted' | 'rejected' | { readonly failed: string };

export type TokenVerifier = {
  /**
   * Sends one request at most. Never rejects for its failure, and never names the secret or the token. The caller
   * bounds how many there are at once.
   */
  verify(token: string, withinMs: number): Promise<TokenVerdict>;
  /** Equal for tokens that are encodings of the same one: only one of them may be used. */
  identityOf(token: string): string;
  /** Aborts requests in flight. */
  close(): Promise<void>;
};
