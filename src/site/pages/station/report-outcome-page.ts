/** What a visitor sees after reporting a price: thanks, or why the report was not accepted. */
import { DRIVER_REPORT_DAYS } from '../../../domain/access/retention.ts';
import { MAX_REPORT_LENGTH, MAX_REPORTS_PER_DAY, type ReportOutcome } from '../../../domain/driver-report.ts';
import type { Fuel, PriceRange } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import type { Page } from '../../frame/page.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, DAYS } from '../../html/counted.ts';
import { formatRon } from '../../html/formats.ts';
import { type OutcomeTexts, outcomePage } from './outcome-page.ts';

export type PostedReport = {
  readonly outcome: ReportOutcome;
  /** The fuel of an invalid price; `null` = it is about something else. */
  readonly fuel: Fuel | null;
  readonly language: Language;
  /** The part of the path that names the station. */
  readonly slug: string;
};

const NOT_ACCEPTED: LocalizedText = { ro: 'Semnalarea nu a fost primită', en: 'Your report was not accepted' };
const INCOMPLETE: LocalizedText = { ro: 'Semnalarea nu este completă', en: 'Your report is not complete' };

const OUTCOMES: Readonly<Record<Exclude<ReportOutcome, 'invalid price'>, OutcomeTexts>> = {
  received: {
    status: 200,
    title: { ro: 'Mulțumim pentru semnalare', en: 'Thank you for your report' },
    text: {
      ro: `O citește un moderator. Prețul de pe pagină rămâne cel al sursei. Dacă se confirmă alt preț, lipsa unui carburant sau închiderea stației, pagina o spune până când sursa publică alt preț, cel mult ${counted(DRIVER_REPORT_DAYS, DAYS, 'ro')}.`,
      en: `A moderator will read it. The price on the page stays that of the source. Once another price, a missing fuel or a closed station is confirmed, the page says so until the source publishes another price, for at most ${counted(DRIVER_REPORT_DAYS, DAYS, 'en')}.`,
    },
  },
  limited: {
    status: 429,
    title: { ro: 'Ați semnalat deja', en: 'You have already reported' },
    text: {
      ro: `De la o adresă de internet se primesc o singură semnalare pe săptămână pentru același carburant al unei stații și două pentru stație, fără cele confirmate, și cel mult ${MAX_REPORTS_PER_DAY} pe zi în total. Dacă împărțiți adresa sau rețeaua cu alții, poate că a semnalat altcineva.`,
      en: `One report a week about the same fuel of a station and two about the station, confirmed ones not counted, and at most ${MAX_REPORTS_PER_DAY} a day in all are accepted from one internet address. If you share the address or the network, somebody else may have reported.`,
    },
  },
  'no captcha': {
    status: 403,
    title: NOT_ACCEPTED,
    text: {
      ro: 'Pentru text trebuie să verificăm că nu sunteți un robot, iar verificarea nu a reușit. Încercați din nou sau trimiteți semnalarea fără text.',
      en: 'A text needs a check that you are not a robot, which failed. Try again, or send the report without a text.',
    },
  },
  'other site': {
    status: 403,
    title: NOT_ACCEPTED,
    text: {
      ro: 'Formularul a fost trimis de pe alt site. Semnalați de pe pagina stației.',
      en: 'The form was sent from another site. Report from the page of the station.',
    },
  },
  malformed: {
    status: 400,
    title: INCOMPLETE,
    text: {
      ro: 'Alegeți ce este greșit și la care carburant, apoi trimiteți din nou de pe pagina stației.',
      en: 'Choose what is wrong and with which fuel, then send it again from the page of the station.',
    },
  },
  'unknown station': {
    status: 404,
    title: NOT_ACCEPTED,
    text: {
      ro: 'Stația aceasta nu există sau nu mai apare în nicio sursă.',
      en: 'This station does not exist, or no source lists it any more.',
    },
  },
  'unknown fuel': {
    status: 400,
    title: NOT_ACCEPTED,
    text: {
      ro: 'Pagina stației nu mai arată carburantul acesta, deci nu are un preț de corectat.',
      en: 'The page of the station no longer shows this fuel, so it has no price to correct.',
    },
  },
  'price changed': {
    status: 409,
    title: { ro: 'Prețul s-a schimbat între timp', en: 'The price has changed meanwhile' },
    text: {
      ro: 'Pagina arată acum alt preț decât cel pe care l-ați văzut. Uitați-vă din nou; dacă tot nu este cel de la pompă, semnalați-l pe acesta.',
      en: 'The page now shows another price than the one you saw. Look again; if it is still not the one at the pump, report that one.',
    },
  },
  'price as shown': {
    status: 400,
    title: NOT_ACCEPTED,
    text: {
      ro: 'Prețul pe care l-ați scris este chiar cel de pe pagină. Dacă altceva este greșit, alegeți „altceva”.',
      en: 'The price that you entered is the one on the page. If something else is wrong, choose “something else”.',
    },
  },
  'text too long': {
    status: 400,
    title: NOT_ACCEPTED,
    text: {
      ro: `Textul este prea lung: poate avea cel mult ${MAX_REPORT_LENGTH} de caractere.`,
      en: `The text is too long: it may have at most ${MAX_REPORT_LENGTH} characters.`,
    },
  },
  unavailable: {
    status: 503,
    title: { ro: 'Semnalarea nu a putut fi salvată', en: 'Your report could not be saved' },
    text: {
      ro: 'Semnalările nu pot fi primite în acest moment. Încercați din nou peste câteva minute.',
      en: 'Reports cannot be accepted right now. Try again in a few minutes.',
    },
  },
};

/** The page; it leads back to the station, in both languages. */
export function reportOutcomePage({ outcome, fuel, language, slug }: PostedReport, data: SiteData): Page {
  const texts = outcome === 'invalid price' ? invalidPrice(fuel && data.ranges[fuel]) : OUTCOMES[outcome];
  return outcomePage({ ...texts, language, slug, anchor: 'semnalare' }, data);
}

/** @param range of the fuel; `null` = it is not known which. */
function invalidPrice(range: PriceRange | null): OutcomeTexts {
  const between = (language: Language, [from, to]: readonly [string, string]) =>
    range === null ? '' : `${from} ${formatRon(range.min, language)} ${to} ${formatRon(range.max, language)}`;
  return {
    status: 400,
    title: { ro: 'Prețul nu este valid', en: 'The price is not valid' },
    text: {
      ro: `Scrieți prețul unui litru în lei, de exemplu 7,59${between('ro', ['; pentru acest carburant, între', 'și'])}. Îl puteți lăsa și gol.`,
      en: `Enter the price of a litre in lei, such as 7.59${between('en', ['; for this fuel, between', 'and'])}. You can also leave it empty.`,
    },
  };
}
