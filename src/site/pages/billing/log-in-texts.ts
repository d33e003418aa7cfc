/** The texts of logging in. */
import type { LoginReturn } from '../../../domain/billing/login-return.ts';
import type { LoginProblem } from '../../../domain/billing/login-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { text } from '../../html/text.ts';

export const LOGIN_TEXTS = {
  title: text('Contul meu', 'My account'),
  description: text(
    'Intrați în cont cu un link sau cu un cod primit pe e-mail, fără parolă.',
    'Log in with a link or a code that you get by e-mail, without a password.',
  ),
  lead: text(
    'Scrieți adresa de e-mail a contului, la care primiți mesajele noastre. Primiți un link și un cod din șase cifre; nu aveți nevoie de parolă.',
    'Enter the e-mail address of your account, at which you get our mails. You get a link and a six-digit code; you need no password.',
  ),
  leadTo: {
    address: text(
      'Pentru schimbarea adresei trebuie să fi intrat în cont în ultimele 15 minute. Intrați din nou, iar apoi scrieți adresa nouă.',
      'To change the address you must have logged in within the last 15 minutes. Log in again, and then enter the new address.',
    ),
  } as const satisfies Record<LoginReturn, LocalizedText>,
  email: text('Adresa de e-mail', 'E-mail address'),
  send: text('Trimite linkul și codul', 'Send the link and the code'),
  codeTitle: text('Verificați e-mailul', 'Check your e-mail'),
  codeLead: text(
    (email: string | null) =>
      `Dacă ${email ?? 'adresa'} are un cont, un mesaj ajunge în cel mult câteva minute. Deschideți linkul din el în acest browser sau scrieți aici codul.`,
    (email: string | null) =>
      `If ${email ?? 'the address'} has an account, a message arrives within minutes. Open its link in this browser, or enter its code here.`,
  ),
  code: text('Codul din șase cifre', 'Six-digit code'),
  confirm: text('Intră în cont', 'Log in'),
  linkTitle: text('Intrați în cont', 'Log in to your account'),
  linkLead: text(
    'Apăsați butonul ca să intrați. Linkul funcționează o singură dată.',
    'Press the button to log in. The link works once.',
  ),
  otherLead: text(
    (email: string) =>
      `Acest link este pentru contul ${email} și a fost cerut din alt browser. Ca să intrați aici, scrieți și codul din același mesaj. Dacă adresa nu este a dumneavoastră, închideți pagina.`,
    (email: string) =>
      `This link is for the account ${email} and was asked for in another browser. To log in here, enter the code of the same message as well. If the address is not yours, close this page.`,
  ),
  again: text('Altă adresă sau alt mesaj', 'Another address or message'),
  problem: text('Nu ați intrat în cont', 'You are not logged in'),
};

export const LOGIN_PROBLEMS: Readonly<Record<LoginProblem, LocalizedText>> = {
  email: {
    ro: 'scrieți o adresă de e-mail, de exemplu ana@exemplu.ro.',
    en: 'enter an e-mail address, such as ana@example.org.',
  },
  'too many': {
    ro: 'au fost cerute prea multe mesaje sau încercate prea multe coduri; încercați din nou peste o oră.',
    en: 'too many messages were asked for, or too many codes tried; please try again in an hour.',
  },
  unchecked: {
    ro: 'se cer acum foarte multe mesaje; apăsați butonul încă o dată, ca browserul să fie verificat.',
    en: 'very many messages are being asked for; press the button once more, so that your browser is checked.',
  },
  code: {
    ro: 'codul nu este cel din mesaj; scrieți-l din nou.',
    en: 'the code is not the one in the message; enter it again.',
  },
  again: {
    ro: 'pentru această schimbare trebuie să fi intrat în cont în ultimele 15 minute; intrați din nou.',
    en: 'for this change you must have logged in within the last 15 minutes; please log in again.',
  },
  ended: {
    ro: 'linkul sau codul a fost folosit, a expirat ori s-au introdus prea multe coduri greșite; cereți altul.',
    en: 'the link or code was used, has expired, or too many wrong codes were entered; ask for another one.',
  },
  'session ended': {
    ro: 'sesiunea s-a încheiat; intrați din nou.',
    en: 'your session has ended; log in again.',
  },
};
