/** What a mail with a key says of its subscription: until when it lasts as it is, and what comes then. */
import { monthlyPriceOf } from '../../domain/billing/paid-plans.ts';
import type { LocalizedText } from '../../domain/localized-text.ts';
import type { MailContent } from '../../domain/mail/mail-content.ts';
import { formatZonedTime } from '../html/formats.ts';

/** What is charged when, and how it is ended. */
export function termWords({ plan, term: { kind, until } }: Extract<MailContent, { kind: 'key' }>): LocalizedText {
  const [pe, on] = [formatZonedTime(until, 'ro'), formatZonedTime(until, 'en')];
  const euros = monthlyPriceOf(plan);
  switch (kind) {
    case 'trial':
      return {
        ro: `Perioada de probă ține până pe ${pe}. Atunci se plătesc ${euros} EUR, TVA inclus, apoi tot atât în fiecare lună, până la anulare. Abonamentul poate fi anulat oricând din cont, până atunci fără nicio plată.`,
        en: `The free trial lasts until ${on}. You are then charged EUR ${euros}, VAT included, and the same every month until you cancel. You can cancel in your account at any time, until then without paying anything.`,
      };
    case 'paid':
      return {
        ro: `Abonamentul este plătit până pe ${pe}. Atunci se plătesc din nou ${euros} EUR, TVA inclus, apoi tot atât în fiecare lună, până la anulare. Abonamentul poate fi anulat oricând din cont.`,
        en: `The subscription is paid until ${on}. You are then charged EUR ${euros} again, VAT included, and the same every month until you cancel. You can cancel in your account at any time.`,
      };
    case 'ending':
      return {
        ro: `Abonamentul se încheie pe ${pe}, fără altă plată.`,
        en: `The subscription ends on ${on}, without another charge.`,
      };
  }
}
