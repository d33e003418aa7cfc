/** The forms of the page of an account. */
import type { AccountView } from '../../../domain/billing/account-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { type Html, html } from '../../html/html-template.ts';

/** A button that posts, with the token of the session. */
export function accountForm(
  path: LocalizedText,
  { language, formToken }: AccountView,
  fields: Readonly<Record<string, string>>,
  label: LocalizedText,
): Html {
  const all = Object.entries({ form: formToken, ...fields });
  return html`<form class="fields" method="post" action="${path[language]}">
${all.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<button type="submit">${label[language]}</button>
</form>
`;
}
