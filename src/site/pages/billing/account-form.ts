/** The forms of the page of an account. */
import type { AccountView } from '../../../domain/billing/account-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { type Html, html } from '../../html/html-template.ts';

/** What somebody who only hears the page tells a control of several like it by; `null` = there is only one. */
export function named(label: string, about: string | null): Html | null {
  return about === null ? null : html` aria-label="${label}: ${about}"`;
}

/** A button that posts, with the token of the session; `about`: as `named` has it. */
export function accountForm(
  path: LocalizedText,
  { language, formToken }: Pick<AccountView, 'language' | 'formToken'>,
  fields: Readonly<Record<string, string>>,
  label: LocalizedText,
  about: string | null = null,
): Html {
  const all = Object.entries({ form: formToken, ...fields });
  return html`<form class="fields" method="post" action="${path[language]}">
${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit"${named(label[language], about)}>${label[language]}</button>
</form>
`;
}
