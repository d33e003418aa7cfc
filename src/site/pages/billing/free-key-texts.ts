/** What the pages of a free key say. */
import { FREE_KEY_UNUSED_DAYS } from '../../../domain/access/retention.ts';
import type { FreeKeyProblem, GivenFreeKey } from '../../../domain/billing/free-key-view.ts';
import { type Text, text } from '../../html/text.ts';

export const FREE_KEY_TEXTS = {
  title: text('Cheie API gratuită', 'Free API key'),
  description: text('O cheie API gratuită, pe e-mail, fără card.', 'A free API key by e-mail, without a card.'),
  lead: text(
    (requests: string) =>
      `O cheie cu ${requests} pe lună, fără card și fără contract: una pentru fiecare adresă de e-mail.`,
    (requests: string) => `A key with ${requests} a month, without a card or a contract: one per e-mail address.`,
  ),
  rules: text(
    `Trimitem întâi un mesaj de confirmare, apoi cheia. Cheia se închide dacă nu este folosită ${FREE_KEY_UNUSED_DAYS} de zile.`,
    `We first send a mail to confirm the address, then the key. The key is closed when it is not used for ${FREE_KEY_UNUSED_DAYS} days.`,
  ),
  email: text('Adresa de e-mail', 'E-mail address'),
  send: text('Trimite confirmarea', 'Send the confirmation'),
  codeTitle: text('Verificați e-mailul', 'Check your e-mail'),
  codeLead: text(
    (email: string | null) =>
      `Trimitem un link și un cod din șase cifre la ${email ?? 'adresa dumneavoastră'}. Ambele sunt valabile 15 minute. Dacă adresa este greșită, cereți alt mesaj.`,
    (email: string | null) =>
      `We mail a link and a six-digit code to ${email ?? 'your address'}. Both are valid for 15 minutes. If the address is wrong, ask for another mail.`,
  ),
  code: text('Codul din șase cifre', 'Six-digit code'),
  confirm: text('Confirmă adresa', 'Confirm the address'),
  again: text('Altă adresă sau alt mesaj', 'Another address or mail'),
  linkTitle: text('Confirmați adresa', 'Confirm your address'),
  linkLead: text('Apăsați butonul și vă trimitem cheia.', 'Press the button, and we send you the key.'),
  account: text('Contul meu', 'My account'),
  plans: text('Planuri', 'Plans'),
  problem: text('Cererea nu a fost trimisă', 'The request was not sent'),
};

export const FREE_KEY_DONE: Readonly<Record<GivenFreeKey, { title: Text<string>; text: Text<string> }>> = {
  given: {
    title: text('Vă trimitem cheia pe e-mail', 'The key is on its way'),
    text: text('De obicei ajunge în câteva minute.', 'It usually arrives within minutes.'),
  },
  'had one': {
    title: text('Adresa a primit deja o cheie gratuită', 'This address has had a free key'),
    text: text(
      'Dacă nu o mai aveți, faceți în cont o cheie nouă în locul ei. Dacă ați șters contul, puteți cere alta luna viitoare.',
      'If you no longer have it, make a new key in its place in your account. If you deleted the account, you can ask for another one next month.',
    ),
  },
  former: {
    title: text('Adresa a fost schimbată de curând', 'This address was changed recently'),
    text: text(
      'Un cont a avut această adresă până acum mai puțin de o zi. Cereți cheia cu adresa nouă; dacă nu dumneavoastră ați schimbat-o, anulați schimbarea cu linkul din mesajul primit.',
      'An account had this address until less than a day ago. Ask for the key with the new address; if you did not change it, undo the change with the link in the message that you got.',
    ),
  },
};

export const FREE_KEY_PROBLEMS: Readonly<Record<FreeKeyProblem, Text<string>>> = {
  email: text(
    'Scrieți o adresă de e-mail completă, ca nume@exemplu.ro.',
    'Enter a complete e-mail address, such as name@example.com.',
  ),
  'too many': text(
    'Prea multe mesaje cerute sau coduri încercate într-o oră. Încercați din nou mai târziu.',
    'Too many mails were asked for, or codes tried, within an hour. Try again later.',
  ),
  unchecked: text(
    'Se cer acum foarte multe mesaje. Apăsați butonul încă o dată, ca browserul să fie verificat.',
    'Very many messages are being asked for. Press the button once more, so that your browser is checked.',
  ),
  code: text(
    'Codul sau linkul nu este bun: este greșit, folosit sau mai vechi de 15 minute.',
    'The code or link does not work: it is wrong, used, or older than 15 minutes.',
  ),
};
