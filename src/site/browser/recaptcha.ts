/**
 * Tokens of reCAPTCHA v3. Its script comes from Google and is loaded by a visitor's first touch of a text field, never
 * with the page. Source: developers.google.com/recaptcha/docs/v3, "Programmatically invoke the challenge".
 */

import { withTimeout } from './with-timeout.ts';

/** What the script defines: `execute` only works once `ready` has called back. */
type Grecaptcha = {
  ready(callback: () => void): void;
  execute(siteKey: string, options: { readonly action: string }): Promise<string>;
};

const SCRIPT = 'https://www.google.com/recaptcha/api.js';
/** The action that the server expects of a token. */
const ACTION = 'review';
/** `ready` never calls back if a second script, which the first one loads, is blocked. */
const TIMEOUT_MS = 15_000;

export class Recaptcha {
  readonly #siteKey: string;
  readonly #page: Document;
  #loading: Promise<Grecaptcha> | undefined;

  /** Loads nothing yet. */
  constructor(siteKey: string, page: Document) {
    this.#siteKey = siteKey;
    this.#page = page;
  }

  /** Starts loading the script unless that has been done; after a failure the next call tries again. */
  load(): void {
    this.#script().catch(() => undefined);
  }

  /** A fresh token, valid for two minutes. Rejects if the script cannot be loaded or gives none within 15 s. */
  token(): Promise<string> {
    const token = this.#script().then((grecaptcha) => execute(grecaptcha, this.#siteKey));
    return withTimeout(token, TIMEOUT_MS, 'no answer in time');
  }

  #script(): Promise<Grecaptcha> {
    this.#loading ??= loadScript(this.#siteKey, this.#page).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }
}

/** A page with two forms loads it once. */
function loadScript(siteKey: string, page: Document): Promise<Grecaptcha> {
  return new Promise((resolve, reject) => {
    const loaded = grecaptchaOf(page);
    if (loaded !== undefined) return resolve(loaded);
    const script = page.createElement('script');
    script.addEventListener('load', () => {
      const grecaptcha = grecaptchaOf(page);
      if (grecaptcha === undefined) reject(new Error('the script defines no grecaptcha'));
      else resolve(grecaptcha);
    });
    script.addEventListener('error', () => reject(new Error('the script cannot be loaded')));
    script.src = `${SCRIPT}?render=${encodeURIComponent(siteKey)}`;
    page.head.append(script);
  });
}

function grecaptchaOf({ defaultView }: Document): Grecaptcha | undefined {
  return (defaultView as unknown as { readonly grecaptcha?: Grecaptcha }).grecaptcha;
}

function execute(grecaptcha: Grecaptcha, siteKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Its promise has `then` only.
    grecaptcha.ready(() => grecaptcha.execute(siteKey, { action: ACTION }).then(resolve, reject));
  });
}
