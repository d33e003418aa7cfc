/** Where a price of a station comes from, what its flag means and since when: what `why` knows, as sentences. */
import { bucharestDay, dayNumber } from '../../../domain/days.ts';
import type { Fuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import {
  type DoubtReason,
  MAX_PRICE_AGE_MS,
  ORPHAN_PRICE_MS,
  type PriceVerdict,
  type SourcePrice,
} from '../../../domain/prices/price-verdict.ts';
import { HISTORY_DAYS } from '../../../snapshot/price-history.ts';
import type { Snapshot } from '../../../snapshot/snapshot.ts';
import { formatBucharestTime, formatDay, formatRon } from '../../html/formats.ts';
import { sourceName } from '../../parts/price-notes.ts';

const TIMEOUT_HOURS = MAX_PRICE_AGE_MS / 3_600_000;
const ORPHAN_DAYS = ORPHAN_PRICE_MS / 86_400_000;

/** What is known about a price, a sentence each: its source and times, then why it does not count, if it does not. */
export function originSentences(verdict: PriceVerdict, language: Language): string[] {
  switch (verdict.kind) {
    case 'trusted':
      return reportSentences(verdict.fact, language);
    case 'doubtful':
      return [...reportSentences(verdict.fact, language), doubtSentence(verdict, language)];
    case 'expired':
      return [EXPIRED[language](formatBucharestTime(verdict.lastConfirmedAt, language))];
    default:
      return [WITHDRAWN[verdict.kind][language]];
  }
}

/** The last price that was shown and its day, of a fuel without one now; `null` = it has one, or no past is known. */
export function lastKnownSentence(
  { station, fuel, verdict }: { readonly station: string; readonly fuel: Fuel; readonly verdict: PriceVerdict },
  { history, today }: Pick<Snapshot, 'history' | 'today'>,
  language: Language,
): string | null {
  const past = history(station);
  if (past === undefined || verdict.kind === 'trusted' || verdict.kind === 'doubtful') return null;
  for (let day = today - 1; day > today - HISTORY_DAYS; day -= 1) {
    const price = past.price(fuel, day);
    if (price !== null) return LAST_KNOWN[language](formatRon(price, language), formatDay(day, language));
  }
  return NEVER_KNOWN[language];
}

const LAST_KNOWN: Readonly<Record<Language, (price: string, day: string) => string>> = {
  ro: (price, day) => `Ultimul preț cunoscut: ${price} lei, pe ${day}.`,
  en: (price, day) => `Last known price: ${price} lei, on ${day}.`,
};
const NEVER_KNOWN: Readonly<Record<Language, string>> = {
  ro: `Nici în ultimele ${HISTORY_DAYS} de zile nu a avut un preț aici.`,
  en: `It has had no price here in the last ${HISTORY_DAYS} days either.`,
};

function reportSentences(fact: SourcePrice, language: Language): string[] {
  const { observed, sinceDay, changed, readAt } = fact;
  const source = capitalized(sourceName(fact, language));
  const since = formatDay(sinceDay, language);
  const read = formatBucharestTime(readAt, language);
  const when =
    observed === null
      ? null
      : observed.at === null
        ? formatDay(dayNumber(observed.day), language)
        : formatBucharestTime(observed.at, language);
  if (language === 'ro')
    return [
      when === null ? `${source} nu spune când l-a observat.` : `${source} l-a observat pe ${when}.`,
      changed ? `Ultima schimbare: ${since}.` : `Neschimbat cel puțin din ${since}.`,
      `Citit ultima dată pe ${read}.`,
    ];
  return [
    when === null ? `${source} does not say when it was observed.` : `${source} observed it on ${when}.`,
    changed ? `Last change: ${since}.` : `Unchanged since ${since} at least.`,
    `Last read on ${read}.`,
  ];
}

function doubtSentence({ reason, since, fact }: Extract<PriceVerdict, { kind: 'doubtful' }>, language: Language) {
  const missing = fact.missingSince === null ? null : dayNumber(bucharestDay(fact.missingSince));
  const day = since ?? missing;
  return DOUBT[language][reason](day === null ? null : formatDay(day, language));
}

const DOUBT: Readonly<Record<Language, Readonly<Record<DoubtReason, (day: string | null) => string>>>> = {
  ro: {
    stuck: (day) =>
      `Nesigur${from(day, ' din ')}: de atunci nu s-a mișcat, deși cel puțin jumătate dintre celelalte stații ale rețelei și-au schimbat prețul. Nu intră în minime și clasamente.`,
    stale: (day) =>
      `Nesigur: sursa nu l-a mai observat${from(day, ' din ')}, de cel puțin 7 zile. Nu intră în minime și clasamente.`,
    orphaned: (day) =>
      `Nesigur${from(day, ' din ')}: de atunci registrul nu mai listează acest carburant aici. Nu intră în minime și clasamente, iar după ${ORPHAN_DAYS} de zile este retras.`,
  },
  en: {
    stuck: (day) =>
      `Doubtful${from(day, ' since ')}: it has not moved since, while at least half of the network’s other stations changed theirs. It counts in no minimum and no ranking.`,
    stale: (day) =>
      `Doubtful: the source has not observed it${from(day, ' since ')}, for 7 days at least. It counts in no minimum and no ranking.`,
    orphaned: (day) =>
      `Doubtful${from(day, ' since ')}: the register no longer lists this fuel here. It counts in no minimum and no ranking, and is withdrawn after ${ORPHAN_DAYS} days.`,
  },
};

/** By when a source last confirmed the price. */
const EXPIRED: Readonly<Record<Language, (when: string) => string>> = {
  ro: (when) =>
    `Expirat: nicio sursă nu l-a mai confirmat după ${when}. Un preț este retras după ${TIMEOUT_HOURS} de ore fără confirmare și revine la prima citire reușită.`,
  en: (when) =>
    `Expired: no source has confirmed it since ${when}. A price is withdrawn after ${TIMEOUT_HOURS} hours without confirmation, and returns with the first successful reading.`,
};

const WITHDRAWN: Readonly<Record<'incoherent' | 'unknown', Readonly<Record<Language, string>>>> = {
  incoherent: {
    ro: 'Retras: sursa dă pentru carburantul premium un preț sub cel standard de la aceeași stație, ceea ce nu poate fi corect.',
    en: 'Withdrawn: the source gives the premium fuel a price below the standard one at the same station, which cannot be right.',
  },
  unknown: {
    ro: 'Sursele spun că stația vinde acest carburant, dar îl dau fără preț sau cu unul în afara limitelor plauzibile, pe care nu îl arătăm. Prețul revine la prima citire cu unul valid.',
    en: 'The sources say that the station sells this fuel, but give no price, or one outside the plausible range, which we do not show. The price returns with the first reading that has a valid one.',
  },
};

function from(day: string | null, word: string): string {
  return day === null ? '' : `${word}${day}`;
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
