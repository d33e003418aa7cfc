/** The pages on which an account gets another address, or its former one back. */
import type { AddressView } from '../../../domain/billing/address-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { type Html, html } from '../../html/html-template.ts';
import { ADDRESS_PROBLEMS, ADDRESS_TEXTS as TEXTS } from './address-texts.ts';
import { LOGIN_TEXTS } from './log-in-texts.ts';
import { codeField, emailField, firstProblem, hiddenField, problemLine, proofForm, statusOf } from './proof-form.ts';

/** The page of a step. */
export function addressPage(view: AddressView): Page {
  const { language, problems, step } = view;
  return {
    ...{ language, route: 'plans', paths: PATHS[step], status: statusOf(problems) },
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: contentOf(view),
  };
}

const PATHS: Readonly<Record<AddressView['step'], LocalizedText>> = {
  form: BILLING_PATHS.accountAddress,
  code: BILLING_PATHS.addressConfirm,
  link: BILLING_PATHS.addressConfirm,
  undo: BILLING_PATHS.addressUndo,
  undone: BILLING_PATHS.addressUndo,
  ended: BILLING_PATHS.accountAddress,
};

function contentOf(view: AddressView): Html {
  const { language, problems } = view;
  const problem = firstProblem(problems, ADDRESS_PROBLEMS, language);
  const line = problemLine((problems.includes('undo ended') ? TEXTS.undoProblem : TEXTS.problem)[language], problem);
  const code = { label: TEXTS.code[language], problem };
  const confirm = (fields: Html | null, token: Html | null = null) =>
    proofForm(BILLING_PATHS.addressConfirm[language], fields, TEXTS.confirm[language], token);
  switch (view.step) {
    case 'form': {
      const field = emailField({ label: TEXTS.email[language], problem }, view.email);
      const token = hiddenField('form', view.formToken);
      return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language](view.current)}</p>
${line}${proofForm(BILLING_PATHS.accountAddress[language], field, TEXTS.send[language], token)}
<p class="soft">${TEXTS.billing[language]}</p>`;
    }
    case 'code':
      return html`<h1>${TEXTS.codeTitle[language]}</h1>
<p class="lead">${TEXTS.codeLead[language](view.email)}</p>
${line}${confirm(codeField(code))}
<p><a href="${BILLING_PATHS.accountAddress[language]}">${LOGIN_TEXTS.again[language]}</a></p>`;
    case 'link':
      return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${(view.asksForCode ? TEXTS.otherLead : TEXTS.linkLead)[language]}</p>
${line}${confirm(view.asksForCode ? codeField(code) : null, hiddenField('token', view.token))}`;
    case 'undo':
      return html`<h1>${TEXTS.undoTitle[language]}</h1>
<p class="lead">${TEXTS.undoLead[language]}</p>
${proofForm(BILLING_PATHS.addressUndo[language], null, TEXTS.undo[language], hiddenField('token', view.token))}`;
    case 'undone':
      return html`<h1>${TEXTS.undoneTitle[language]}</h1>
<p class="lead" role="status">${TEXTS.undone[language](view.email)}</p>
<p>${TEXTS.undoneNext[language]}</p>
${proofForm(BILLING_PATHS.logIn[language], null, LOGIN_TEXTS.send[language], hiddenField('email', view.email))}`;
    case 'ended':
      return html`<h1>${TEXTS.title[language]}</h1>
${line}<p><a href="${BILLING_PATHS.account[language]}">${TEXTS.back[language]}</a></p>`;
  }
}
