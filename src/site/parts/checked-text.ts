/** The fields of a form that take a text, which only a visitor whose browser passes the captcha can send. */
import { CHALLENGE_PATH } from '../../domain/access/proof-of-work.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';

type Captcha = Pick<SiteData, 'captcha' | 'captchaSiteKey'>;

/** Whether forms have fields for a text, which need the module `text-form`. */
export function takesText({ captcha, captchaSiteKey }: Captcha): boolean {
  return captcha === 'altcha' || (captcha === 'recaptcha' && captchaSiteKey !== null);
}

/** Whether a page with such a form may load the script of reCAPTCHA. */
export function admitsRecaptcha(data: Captcha): boolean {
  return data.captcha === 'recaptcha' && takesText(data);
}

type TextFields = {
  readonly legend: LocalizedText;
  readonly fields: Html;
  /** What becomes of the text. */
  readonly note: LocalizedText;
  /** What can be sent without code, and after a failed check. */
  readonly withoutCode: LocalizedText;
  readonly failed: LocalizedText;
};

/**
 * The fields, disabled, so that nothing of them is sent, until the module `text-form` has started; `null` = forms take
 * no text.
 */
export function checkedText(
  { legend, fields, note, withoutCode, failed }: TextFields,
  data: Captcha,
  language: Language,
): Html | null {
  if (!takesText(data)) return null;
  const check =
    data.captcha === 'recaptcha'
      ? html`data-site-key="${data.captchaSiteKey}"`
      : html`data-challenge="${CHALLENGE_PATH}"`;
  const notice = data.captcha === 'recaptcha' ? html`\n<p class="soft">${TEXTS.recaptcha[language]}</p>` : null;
  return html`<noscript><p class="soft">${withoutCode[language]}</p></noscript>
<fieldset ${check} hidden disabled><legend>${legend[language]}</legend>
<input type="hidden" name="recaptcha_token">
${fields}
<p class="soft">${note[language]}</p>${notice}
</fieldset>
<p role="status" data-working="${TEXTS.working[language]}" data-failed="${failed[language]}"></p>
`;
}

const TEXTS = {
  working: { ro: 'Se verifică browserul, o secundă sau două…', en: 'Checking your browser, a second or two…' },
  recaptcha: {
    ro: 'Câmpurile acestea sunt protejate de Google reCAPTCHA, care se încarcă la prima atingere a lor.',
    en: 'These fields are protected by Google reCAPTCHA, which loads when you first touch them.',
  },
} as const satisfies Record<string, LocalizedText>;
