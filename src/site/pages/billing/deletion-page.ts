/** The page on which the holder of an account deletes it. */
import { ORDER_YEARS } from '../../../domain/access/retention.ts';
import type { DeletionView } from '../../../domain/billing/deletion-view.ts';
import { BILLING_PATHS } from '../../../domain/pages/billing-paths.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { type Html, html } from '../../html/html-template.ts';
import { text } from '../../html/text.ts';
import { emailField, hiddenField, problemLine, proofForm } from './proof-form.ts';

const TEXTS = {
  title: text('Ștergerea contului', 'Delete the account'),
  description: text('Șterge contul și tot ce ține de el.', 'Deletes the account and all that belongs to it.'),
  lead: text(
    'Cheile se închid imediat, iar contul, mesajele și numărul cererilor se șterg. Ștergerea nu se poate anula.',
    'The keys stop working at once, and the account, its mails and its counts are deleted. This cannot be undone.',
  ),
  subscribed: text(
    'Abonamentul se încheie imediat, fără rambursare pentru restul perioadei. În primele 14 zile vă puteți retrage întâi din contract și primiți banii înapoi.',
    'The subscription ends at once, without a refund for the rest of its period. Within the first 14 days you can withdraw from the contract first, and get your money back.',
  ),
  withdraw: text('Retragere din contract', 'Withdraw from the contract'),
  kept: text(
    `Rămân comenzile, timp de ${ORDER_YEARS} ani, ca dovadă a contractului, și facturile la procesatorul de plăți, cât cere legea. Dacă o confirmare de retragere nu a fost încă trimisă, o veți primi totuși.`,
    `What remains are the orders, for ${ORDER_YEARS} years as proof of the contract, and the invoices at the payment processor, as long as the law asks. The acknowledgement of a withdrawal that has not been sent yet is still sent.`,
  ),
  data: text('Descarcă întâi datele', 'Download the data first'),
  email: text('Ca să confirmați, scrieți adresa contului', 'To confirm, enter the address of the account'),
  remove: text('Șterge contul', 'Delete the account'),
  problem: text('Contul nu a fost șters', 'The account was not deleted'),
  other: text(
    (email: string) => `adresa contului este ${email}.`,
    (email: string) => `the address of the account is ${email}.`,
  ),
  doneTitle: text('Contul este șters', 'The account is deleted'),
  done: text(
    'Cheile nu mai funcționează și nu se mai plătește nimic. Vă confirmăm ștergerea printr-un ultim mesaj.',
    'Its keys no longer work, and nothing more is charged. A last message confirms this to you.',
  ),
  home: text('Prima pagină', 'Home'),
};

/** The page of a step. */
export function deletionPage(view: DeletionView): Page {
  const { language } = view;
  return {
    ...{ language, route: 'plans', paths: BILLING_PATHS.accountDeletion },
    ...(view.step === 'form' && view.typed !== null && { status: 400 as const }),
    title: `${TEXTS.title[language]} · ${SERVICE_NAME}`,
    description: TEXTS.description[language],
    content: contentOf(view),
  };
}

function contentOf(view: DeletionView): Html {
  const { language } = view;
  if (view.step === 'done')
    return html`<h1>${TEXTS.doneTitle[language]}</h1>
<p class="lead" role="status">${TEXTS.done[language]}</p>
<p><a href="${ROUTES.home[language]}">${TEXTS.home[language]}</a></p>`;
  const problem = view.typed === null ? null : TEXTS.other[language](view.email);
  const field = emailField({ label: TEXTS.email[language], problem }, view.typed ?? '');
  const token = hiddenField('form', view.formToken);
  const withdrawal = html`<a href="${BILLING_PATHS.withdrawal[language]}">${TEXTS.withdraw[language]}</a>`;
  return html`<h1>${TEXTS.title[language]}</h1>
<p class="lead">${TEXTS.lead[language]}</p>
${view.isSubscribed ? html`<p>${TEXTS.subscribed[language]} ${withdrawal}</p>\n` : null}<p>${TEXTS.kept[language]}</p>
<p><a href="${BILLING_PATHS.accountData[language]}">${TEXTS.data[language]}</a></p>
${problemLine(TEXTS.problem[language], problem)}${proofForm(BILLING_PATHS.accountDeletion[language], field, TEXTS.remove[language], token)}`;
}
