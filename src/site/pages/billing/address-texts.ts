/** The texts of changing the address of an account. */
import type { AddressProblem } from '../../../domain/billing/address-view.ts';
import type { LocalizedText } from '../../../domain/localized-text.ts';
import { text } from '../../html/text.ts';

export const ADDRESS_TEXTS = {
  title: text('Schimbarea adresei', 'Change of address'),
  description: text('Adresa de e-mail a contului.', 'The e-mail address of the account.'),
  lead: text(
    (current: string) =>
      `Contul are adresa ${current}. Scrieți-o pe cea nouă; îi trimitem un mesaj de confirmare, iar de la cea veche se poate anula schimbarea timp de 24 de ore.`,
    (current: string) =>
      `The account has the address ${current}. Enter the new one: we mail it to confirm it, and the old one may undo the change for 24 hours.`,
  ),
  billing: text(
    'Adresa de pe facturi se schimbă separat, la „Card, facturi, schimbarea planului”.',
    'The address on invoices is changed by itself, under “Card, invoices, change plan”.',
  ),
  email: text('Adresa nouă', 'New address'),
  send: text('Trimite confirmarea', 'Send the confirmation'),
  codeTitle: text('Verificați e-mailul', 'Check your e-mail'),
  codeLead: text(
    (email: string | null) =>
      `Trimitem un mesaj la ${email ?? 'adresa nouă'}. Deschideți linkul din el în acest browser sau scrieți aici codul.`,
    (email: string | null) =>
      `We mail ${email ?? 'the new address'}. Open the link of that message in this browser, or enter its code here.`,
  ),
  code: text('Codul din șase cifre', 'Six-digit code'),
  confirm: text('Schimbă adresa', 'Change the address'),
  linkLead: text(
    'Apăsați butonul, iar contul primește această adresă.',
    'Press the button, and the account gets this address.',
  ),
  otherLead: text(
    'Schimbarea a fost cerută din alt browser: scrieți și codul din același mesaj. Dacă nu dumneavoastră ați cerut-o, închideți pagina.',
    'The change was asked for in another browser: enter the code of the same message as well. If you did not ask for it, close this page.',
  ),
  undoTitle: text('Anularea schimbării', 'Undo the change'),
  undoLead: text(
    'Contul primește din nou adresa anterioară și se închid toate sesiunile. Intrați apoi în cont și opriți cheile pe care nu le recunoașteți.',
    'The account gets its former address back, and all its sessions end. Then log in, and end the keys that you do not recognise.',
  ),
  undo: text('Anulează schimbarea', 'Undo the change'),
  undoneTitle: text('Schimbarea a fost anulată', 'The change was undone'),
  undone: text(
    (email: string) =>
      `Contul are din nou adresa ${email}. Toate sesiunile s-au închis, inclusiv cea a celui care a schimbat adresa. Cheile funcționează mai departe.`,
    (email: string) =>
      `The account has the address ${email} again. All sessions have ended, including that of whoever changed the address. The keys keep working.`,
  ),
  undoneNext: text(
    'Intrați acum în cont: opriți cheile pe care nu le recunoașteți și faceți altele noi în locul lor.',
    'Log in now: end the keys that you do not recognise, and make new ones in their place.',
  ),
  undoProblem: text('Schimbarea nu a fost anulată', 'The change was not undone'),
  back: text('Înapoi în cont', 'Back to the account'),
  problem: text('Adresa nu a fost schimbată', 'The address was not changed'),
};

export const ADDRESS_PROBLEMS: Readonly<Record<AddressProblem, LocalizedText>> = {
  email: {
    ro: 'scrieți o adresă de e-mail, de exemplu ana@exemplu.ro.',
    en: 'enter an e-mail address, such as ana@example.org.',
  },
  'too many': {
    ro: 'au fost cerute prea multe mesaje sau încercate prea multe coduri; încercați din nou mai târziu.',
    en: 'too many messages were asked for, or too many codes tried; please try again later.',
  },
  code: {
    ro: 'codul nu este cel din mesaj; scrieți-l din nou.',
    en: 'the code is not the one in the message; enter it again.',
  },
  ended: { ro: 'linkul sau codul a fost folosit ori a expirat.', en: 'the link or code was used or has expired.' },
  'undo ended': {
    ro: 'linkul a fost folosit ori au trecut cele 24 de ore.',
    en: 'the link was used, or the 24 hours have passed.',
  },
  taken: { ro: 'adresa are deja un cont.', en: 'the address has an account already.' },
};
