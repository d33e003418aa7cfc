/** What a review or report with text must pass. Rule 40. */

/** `altcha` = our own proof of work; `recaptcha` = a verifier elsewhere; `none` = texts are refused. */
export const CAPTCHA_KINDS = ['altcha', 'recaptcha', 'none'] as const;
export type CaptchaKind = (typeof CAPTCHA_KINDS)[number];
