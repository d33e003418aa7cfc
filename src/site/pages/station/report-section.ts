/**
 * What drivers reported of a station's prices, once confirmed, and the form to report one, which works without code.
 */
import {
  type AcceptedReport,
  isPublicReport,
  MAX_REPORT_LENGTH,
  type PublicReport,
  type ReportKind,
  stillHolds,
} from '../../../domain/driver-report.ts';
import type { Fuel } from '../../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../../domain/localized-text.ts';
import { REPORT_FORM_PATH, shownFuelText } from '../../../domain/pages/report-form.ts';
import { shownPrice } from '../../../domain/prices/price-verdict.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatBucharestTime, formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { checkedText } from '../../parts/checked-text.ts';
import { REPORT_FORM_ID } from './head-links.ts';
import { nameOf } from './price-sections.ts';
import type { StationDetails } from './station-data.ts';

const TEXTS = {
  reported: { ro: 'Semnalat de șoferi', en: 'Reported by drivers' },
  checked: { ro: 'verificat pe', en: 'checked on' },
  stays: {
    ro: 'Prețul de mai sus rămâne cel al sursei; semnalarea dispare când sursa publică altul.',
    en: 'The price above stays that of the source; the report disappears once the source publishes another.',
  },
  summary: { ro: 'Un preț este greșit? Semnalați-l', en: 'Is a price wrong? Report it' },
  lead: {
    ro: 'Semnalarea ajunge la un moderator și nu schimbă prețul de pe pagină, care este cel al sursei.',
    en: 'Your report reaches a moderator. It does not change the price on the page, which is that of the source.',
  },
  fuel: { ro: 'La ce carburant', en: 'Which fuel' },
  what: { ro: 'Ce este greșit', en: 'What is wrong' },
  price: {
    ro: 'Prețul de la pompă, în lei pe litru (opțional)',
    en: 'The price at the pump, lei per litre (optional)',
  },
  none: { ro: 'fără preț', en: 'no price' },
  send: { ro: 'Trimite semnalarea', en: 'Send the report' },
  text: { ro: 'Dacă vreți, și în cuvinte', en: 'In words, if you like' },
  comment: { ro: 'Ce ați văzut (opțional)', en: 'What you saw (optional)' },
  note: {
    ro: 'Textul îl citește numai moderatorul; nu apare pe pagină.',
    en: 'Only the moderator reads the text; it does not appear on the page.',
  },
  withoutCode: {
    ro: 'Fără JavaScript semnalarea se trimite fără text.',
    en: 'Without JavaScript, a report is sent without a text.',
  },
  failed: {
    ro: 'Verificarea nu a reușit. Încercați din nou sau trimiteți semnalarea fără text.',
    en: 'The check failed. Try again, or send the report without a text.',
  },
} as const satisfies Record<string, LocalizedText>;

const KINDS: Readonly<Record<ReportKind, LocalizedText>> = {
  price: { ro: 'la pompă este alt preț', en: 'the pump shows another price' },
  no_fuel: { ro: 'stația nu are carburantul acesta', en: 'the station does not have this fuel' },
  closed: { ro: 'stația este închisă', en: 'the station is closed' },
  other: { ro: 'altceva', en: 'something else' },
};

/** The confirmed reports that still hold, and the form; nothing while reports cannot be read. */
export function reportSection(
  details: StationDetails,
  reports: readonly AcceptedReport[] | null,
  data: SiteData,
  language: Language,
): Html | null {
  if (reports === null) return null;
  return html`${confirmedReports(details, reports, language)}${reportForm(details, data, language)}`;
}

function confirmedReports(
  { verdicts }: StationDetails,
  reports: readonly AcceptedReport[],
  language: Language,
): Html | null {
  const prices = new Map([...verdicts].map(([fuel, verdict]) => [fuel, shownPrice(verdict)]));
  const shown = reports.filter(isPublicReport).filter((report) => stillHolds(report, prices));
  if (shown.length === 0) return null;
  const list = shown.map((report) => {
    const { decidedAt } = report;
    const when = html`<time datetime="${new Date(decidedAt).toISOString()}">${formatBucharestTime(decidedAt, language)}</time>`;
    return html`<li>${reportWords(report, language)}, ${TEXTS.checked[language]} ${when}.</li>\n`;
  });
  return html`<div class="notice"><p><strong>${TEXTS.reported[language]}</strong></p>
<ul>
${list}</ul>
<p class="soft">${TEXTS.stays[language]}</p></div>
`;
}

/** One report in words; only one of a closed station is about no fuel. */
function reportWords({ kind, fuel, shownPrice: shown, seenPrice }: PublicReport, language: Language): string {
  if (kind === 'closed' || fuel === null) return CLOSED[language];
  const name = nameOf(fuel, language);
  if (kind === 'no_fuel') return NO_FUEL[language](name);
  const instead = shown === null ? '' : INSTEAD[language](formatRon(shown, language));
  return seenPrice === null
    ? OTHER_PRICE[language](name, instead)
    : SEEN_PRICE[language](name, formatRon(seenPrice, language), instead);
}

const CLOSED: LocalizedText = { ro: 'Stația este închisă', en: 'The station is closed' };
const NO_FUEL = {
  ro: (fuel: string) => `${fuel}: stația nu are acest carburant`,
  en: (fuel: string) => `${fuel}: the station does not have this fuel`,
};
const INSTEAD = { ro: (shown: string) => `, nu ${shown}`, en: (shown: string) => `, not ${shown}` };
const SEEN_PRICE = {
  ro: (fuel: string, seen: string, instead: string) => `${fuel}: ${seen} lei la pompă${instead}`,
  en: (fuel: string, seen: string, instead: string) => `${fuel}: ${seen} lei at the pump${instead}`,
};
const OTHER_PRICE = {
  ro: (fuel: string, instead: string) => `${fuel}: alt preț la pompă${instead}`,
  en: (fuel: string, instead: string) => `${fuel}: another price at the pump${instead}`,
};

/** Closed until somebody opens it: few visitors have something to report. */
function reportForm({ slug, fuels }: StationDetails, data: SiteData, language: Language): Html {
  const path = REPORT_FORM_PATH[language].replace(':station', slug);
  const priced = fuels.map(({ fuel, verdict }) => ({ fuel, shownPrice: shownPrice(verdict).price }));
  const options = priced.map(
    (each) =>
      html`<option value="${shownFuelText(each)}">${optionText(each.fuel, each.shownPrice, language)}</option>\n`,
  );
  const kinds = (Object.keys(KINDS) as ReportKind[]).map(
    (kind, at) =>
      html`<label class="choice"><input type="radio" name="kind" value="${kind}" required${at === 0 ? html` checked` : null}> <span>${KINDS[kind][language]}</span></label>\n`,
  );
  return html`<details class="fold" id="semnalare"><summary>${TEXTS.summary[language]}</summary>
<form class="rate" id="${REPORT_FORM_ID}" method="post" action="${path}">
<p class="soft">${TEXTS.lead[language]}</p>
<label>${TEXTS.fuel[language]} <select name="fuel">
${options}</select></label>
<fieldset><legend>${TEXTS.what[language]}</legend>
${kinds}</fieldset>
<label>${TEXTS.price[language]} <input type="text" name="price" inputmode="decimal" maxlength="12" autocomplete="off"></label>
${textField(data, language)}<p><button type="submit">${TEXTS.send[language]}</button></p>
</form>
</details>
`;
}

function optionText(fuel: Fuel, price: number | null, language: Language): string {
  return `${nameOf(fuel, language)}, ${price === null ? TEXTS.none[language] : `${formatRon(price, language)} lei`}`;
}

function textField(data: SiteData, language: Language): Html | null {
  const fields = html`<label>${TEXTS.comment[language]} <textarea name="text" rows="3" maxlength="${MAX_REPORT_LENGTH}"></textarea></label>`;
  const { text: legend, note, withoutCode, failed } = TEXTS;
  return checkedText({ legend, fields, note, withoutCode, failed }, data, language);
}
