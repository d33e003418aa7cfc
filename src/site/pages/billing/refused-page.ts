/** The page after a form of selling that was not read, or while nothing can be done. */
import type { RefusedView } from '../../../domain/billing/billing-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../../domain/service-identity.ts';
import type { Page } from '../../frame/page.ts';
import { html } from '../../html/html-template.ts';

const TEXTS: Readonly<
  Record<RefusedView['why'], { status: NonNullable<Page['status']>; title: LocalizedText; text: LocalizedText }>
> = {
  'other site': {
    status: 403,
    title: { ro: 'Formularul a fost refuzat', en: 'The form was refused' },
    text: {
      ro: 'Formularul a fost trimis de pe alt site. Trimiteți-l de pe pagina noastră.',
      en: 'The form was sent from another site. Send it from our page.',
    },
  },
  malformed: {
    status: 400,
    title: { ro: 'Formularul nu a putut fi citit', en: 'The form could not be read' },
    text: {
      ro: 'Reveniți la pagina anterioară și trimiteți formularul din nou.',
      en: 'Go back to the previous page and send the form again.',
    },
  },
  'too large': {
    status: 400,
    title: { ro: 'Formularul este prea mare', en: 'The form is too large' },
    text: {
      ro: 'Reveniți la pagina anterioară, scurtați ce ați scris și trimiteți din nou.',
      en: 'Go back to the previous page, shorten what you wrote and send it again.',
    },
  },
  'too many': {
    status: 429,
    title: { ro: 'Prea multe schimbări într-o oră', en: 'Too many changes within an hour' },
    text: {
      ro: 'Încercați din nou peste câteva minute. Cheile care există funcționează în continuare.',
      en: 'Try again in a few minutes. The keys that exist keep working.',
    },
  },
  'not deleted': {
    status: 503,
    title: { ro: 'Contul nu a fost șters', en: 'The account was not deleted' },
    text: {
      ro: 'Încercați din nou peste câteva minute. Este posibil ca un abonament să se fi încheiat deja; ce a mai rămas se încheie la următoarea încercare.',
      en: 'Try again in a few minutes. A subscription may have ended already; whatever still runs ends when you try again.',
    },
  },
  unavailable: {
    status: 503,
    title: { ro: 'Încercați din nou peste câteva minute', en: 'Try again in a few minutes' },
    text: {
      ro: 'Contul și comenzile nu sunt disponibile acum. Cheile și prețurile funcționează în continuare; nu s-a pierdut nimic.',
      en: 'The account and orders are not available right now. Keys and prices keep working; nothing was lost.',
    },
  },
};

export function refusedPage({ language, why }: RefusedView): Page {
  const { status, title, text } = TEXTS[why];
  return {
    ...{ language, route: 'plans', paths: ROUTES.plans, status, isIndexed: false, isPrivate: true },
    ...(status === 503 && { retryAfterSeconds: 60 }),
    title: `${title[language]} · ${SERVICE_NAME}`,
    description: text[language],
    content: html`<h1>${title[language]}</h1>
<p>${text[language]}</p>`,
  };
}
