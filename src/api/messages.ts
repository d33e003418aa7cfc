/** What people are told, in Romanian (`message`) and where the contract asks for it in English (`message_en`). */
import { PAGES } from '../domain/plans.ts';

/** Two texts of one meaning. */
export type Bilingual = { readonly message: string; readonly message_en: string };

export const MESSAGES = {
  keyRefused: 'Cheia din antetul X-Api-Key nu este validă sau a fost revocată.',
  countyUnknown: 'Județ necunoscut. Folosiți numele județului (cu sau fără diacritice) sau codul auto, de exemplu CJ.',
  historyUnknown:
    'Nu există istoric pentru această stație. Folosiți câmpul „id” al unei înregistrări din /api/v1/statii.',
  undecodable: 'Adresa cererii nu poate fi decodată: secvențele „%” trebuie să fie UTF-8 corect codificat.',
  urlTooLong: 'Adresa cererii este prea lungă.',
  headersTooLarge: 'Antetele cererii sunt prea mari.',
  bodyTooLarge: 'Corpul cererii este prea mare: limita este de 16 KiB.',
  bodyType: 'Corpul cererii trebuie să fie JSON (Content-Type: application/json).',
  bodyBroken: 'Corpul cererii nu este JSON valid.',
  requestBroken: 'Cererea nu respectă protocolul HTTP.',
  requestSlow: 'Cererea nu a sosit în timpul prevăzut.',
  hostMissing: 'Lipsește antetul Host.',
  internal: (id: string) => `Eroare internă. Cod pentru raportare: ${id}.`,
  methodRefused: (allowed: string) => `Metodă nepermisă pe această adresă. Metode permise: ${allowed}.`,
  topCities: (shown: number, all: number) =>
    `Fără cheie API sunt returnate primele ${shown} orașe după populație, din ${all}. Cu o cheie API (antetul X-Api-Key) sunt returnate toate.`,
  sample: (shown: number, all: number) =>
    `Fără cheie API este returnat un eșantion de ${shown} înregistrări din ${all}. Cu o cheie API (antetul X-Api-Key) sunt returnate toate.`,
} as const;

/** For a path under `/api/` that does not exist. */
export const PATH_UNKNOWN: Bilingual = {
  message: 'Această adresă nu există. Lista adreselor se află în documentație.',
  message_en: 'This path does not exist. The documentation lists the paths of the API.',
};

/** For a path that existed once. Decision 18. */
export function pathRetired(successor: string): Bilingual {
  return {
    message: `Această adresă a fost retrasă. Folosiți ${successor}.`,
    message_en: `This path has been retired. Use ${successor}.`,
  };
}

/** What is wrong with a parameter, and what would be right. */
export const PARAMETER = {
  sentTwice: (names: readonly string[]) =>
    `Parametrul „${names.join('” / „')}” apare de mai multe ori; se trimite o singură dată.`,
  wrong: (name: string, sent: string, expected: string) =>
    `Parametrul „${name}” are valoarea „${shown(sent)}”; se așteaptă ${expected}.`,
  missing: (name: string, because: string) => `Lipsește parametrul „${name}”: ${because}.`,
} as const;

/** What a parameter should have been, to end the sentence "se așteaptă …". */
export const EXPECTED = {
  number: 'un număr zecimal scris cu punct, de exemplu 44.43',
  between: (min: number, max: number) => `un număr între ${min} și ${max}`,
  wholeFrom: (min: number) => `un număr întreg, cel puțin ${min}`,
  oneOf: (values: readonly string[]) => `una dintre valorile ${values.join(', ')}`,
  bothCoordinates: 'filtrul geografic are nevoie de ambele coordonate, „lat” și „lon”',
} as const;

/** The sent text, safe to show: cut short, control and direction characters made visible as spaces. */
function shown(sent: string): string {
  const plain = sent.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
  const letters = [...plain];
  return letters.length > 40 ? `${letters.slice(0, 40).join('')}…` : plain;
}

/** The page for an address outside the API that leads nowhere. */
export const PAGE_UNKNOWN = `<!doctype html>
<html lang="ro"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>404</title>
<body><h1>Pagina nu există</h1><p>Adresa cerută nu duce nicăieri. <a href="${PAGES.docs.ro}">Documentația</a></p>
<p lang="en">This page does not exist. <a href="${PAGES.docs.en}">Documentation</a></p></body></html>
`;
