/** The page that ends mails about usage. */
import type { UnsubscriptionView } from '../../../domain/billing/unsubscription-view.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { type Html, html } from '../../html/html-template.ts';
import { text } from '../../html/text.ts';
import { hiddenField, proofForm } from './proof-form.ts';

const TEXTS = {
  title: text('Mesajele despre cotă', 'Mails about the quota'),
  description: text('Oprește mesajele despre cotă.', 'Ends the mails about the quota.'),
  form: text(
    'Apăsați butonul ca să nu mai primiți mesaje la 80% și la 100% din cotă. Le puteți porni din nou din cont.',
    'Press the button to stop the mails at 80% and at 100% of the quota. You can switch them on again in your account.',
  ),
  button: text('Oprește mesajele', 'Stop these mails'),
  done: text('Nu mai primiți mesaje despre cotă.', 'You get no more mails about the quota.'),
  unknown: text(
    'Linkul nu este valabil: copiați-l întreg din mesaj sau opriți mesajele din cont.',
    'The link is not valid: copy all of it from the message, or stop the mails in your account.',
  ),
  account: text('Contul meu', 'My account'),
};

/** The page of a step. */
export function unsubscriptionPage(view: UnsubscriptionView): Page {
  const { language, step } = view;
  return {
    ...{ language, route: 'plans', paths: BILLING_PATHS.unsubscribe },
    ...(step === 'unknown' && { status: 400 as const }),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: html`<h1>${TEXTS.title[language]}</h1>
${contentOf(view)}`,
  };
}

function contentOf(view: UnsubscriptionView): Html {
  const { language } = view;
  if (view.step === 'form')
    return html`<p class="lead">${TEXTS.form[language]}</p>
${proofForm(BILLING_PATHS.unsubscribe[language], null, TEXTS.button[language], hiddenField('token', view.token))}`;
  const account = html`<p><a href="${BILLING_PATHS.account[language]}">${TEXTS.account[language]}</a></p>`;
  return view.step === 'done'
    ? html`<p class="lead" role="status">${TEXTS.done[language]}</p>\n${account}`
    : html`<p class="problem" role="alert">${TEXTS.unknown[language]}</p>\n${account}`;
}
