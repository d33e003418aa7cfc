/** The address of the service worker, as the policy of the pages wants it: they require trusted types. */

const WORKER_PATH = '/sw.js';

type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(text: string): string },
  ): { createScriptURL(text: string): string };
};

let trusted: string | undefined;

/** The address; a browser without trusted types gets a plain text. */
export function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trusted ??=
    trustedTypes?.createPolicy('pompa', { createScriptURL: () => WORKER_PATH }).createScriptURL(WORKER_PATH) ??
    WORKER_PATH;
  return trusted;
}
