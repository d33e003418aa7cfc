/** What a page says about one price: how old it is, who reported it, and why it may not count. */
import { bucharestDay, type DayNumber, dayNumber } from '../../domain/days.ts';
import { type Fuel, ROAD_FUELS, type RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { DoubtReason, PriceVerdict, SourcePrice } from '../../domain/prices/price-verdict.ts';
import { type SourceKind, sourceKind } from '../../domain/reports/source-kind.ts';
import { counted, DAYS } from '../html/counted.ts';
import { formatBucharestTime, formatDay } from '../html/formats.ts';

const SOURCES: Readonly<Record<SourceKind, LocalizedText>> = {
  register: { ro: 'Monitorul Prețurilor', en: 'the national price monitor' },
  list: { ro: 'lista rețelei', en: 'the network’s price list' },
  network: { ro: 'pagina rețelei', en: 'the network’s page' },
  manual: { ro: 'raport verificat', en: 'a checked report' },
  locator: { ro: 'lista de stații a rețelei', en: 'the network’s station list' },
};

const TODAY: LocalizedText = { ro: 'azi', en: 'today' };
const YESTERDAY: LocalizedText = { ro: 'ieri', en: 'yesterday' };
const UNDATED: LocalizedText = { ro: 'fără dată', en: 'undated' };

/** Who reported a price, in words. */
export function sourceName({ source }: Pick<SourcePrice, 'source'>, language: Language): string {
  return SOURCES[sourceKind(source)][language];
}

/** When a price was observed, in words: `azi`, `ieri`, `acum 3 zile`; never the time of the download. */
export function priceAge({ observed }: Pick<SourcePrice, 'observed'>, today: DayNumber, language: Language): string {
  return observed === null ? UNDATED[language] : ageInWords(today - dayNumber(observed.day), language);
}

/** How long ago a day was: `azi`, `ieri`, `acum 3 zile`. */
export function ageInWords(days: number, language: Language): string {
  if (days <= 0) return TODAY[language];
  if (days === 1) return YESTERDAY[language];
  return language === 'ro' ? `acum ${counted(days, DAYS, 'ro')}` : `${counted(days, DAYS, 'en')} ago`;
}

const DOUBT: Readonly<Record<DoubtReason, (since: string | null) => LocalizedText>> = {
  stuck: (since) => ({
    ro: since === null ? 'neschimbat suspect de mult' : `neschimbat din ${since}, deși prețurile rețelei s-au mișcat`,
    en: since === null ? 'unchanged for too long' : `unchanged since ${since}, while the network’s prices moved`,
  }),
  stale: (since) => ({
    ro: since === null ? 'observat de mult' : `ultima observație: ${since}`,
    en: since === null ? 'observed long ago' : `last observed on ${since}`,
  }),
  orphaned: () => ({ ro: 'sursa nu mai listează stația', en: 'the source no longer lists the station' }),
};

const NO_PRICE: Readonly<Record<'incoherent' | 'unknown', LocalizedText>> = {
  incoherent: {
    ro: 'preț retras: premium sub standard la aceeași pompă',
    en: 'withdrawn: premium below standard at the same pump',
  },
  unknown: { ro: 'vinde, dar prețul nu este cunoscut', en: 'sold here, price not known' },
};

/** By when a source last confirmed the price. */
export const EXPIRED = {
  ro: (when: string) => `preț expirat: confirmat ultima dată pe ${when}`,
  en: (when: string) => `expired: last confirmed on ${when}`,
};

/** Why a price does not count; `null` for a trusted one. */
export function reasonNotRanked(verdict: PriceVerdict, language: Language): string | null {
  if (verdict.kind === 'trusted') return null;
  if (verdict.kind === 'expired') return EXPIRED[language](formatBucharestTime(verdict.lastConfirmedAt, language));
  if (verdict.kind !== 'doubtful') return NO_PRICE[verdict.kind][language];
  const since = verdict.since === null ? null : formatDay(verdict.since, language);
  return DOUBT[verdict.reason](since)[language];
}

/** Who reported a price, and when: `ieri · Monitorul Prețurilor`. */
export function ageAndSource(fact: SourcePrice, now: number, language: Language): string {
  return `${priceAge(fact, dayNumber(bucharestDay(now)), language)} · ${sourceName(fact, language)}`;
}

export type SharedNote = { readonly fuels: readonly RoadFuel[]; readonly words: string };

/** The age and source of each price of a station, or why it has none, once for all fuels of which the same is known. */
export function sharedNotes(verdicts: ReadonlyMap<Fuel, PriceVerdict>, now: number, language: Language): SharedNote[] {
  const byWords = new Map<string, RoadFuel[]>();
  for (const fuel of ROAD_FUELS) {
    const verdict = verdicts.get(fuel);
    if (verdict === undefined) continue;
    const origin = 'fact' in verdict ? ageAndSource(verdict.fact, now, language) : null;
    const words = [origin, reasonNotRanked(verdict, language)].filter((part) => part !== null).join(' · ');
    const fuels = byWords.get(words);
    if (fuels === undefined) byWords.set(words, [fuel]);
    else fuels.push(fuel);
  }
  return [...byWords].map(([words, fuels]) => ({ fuels, words }));
}
