/** What the link previews of several pages have in common. */
import type { MilliPrice, RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { StatisticsScope } from '../../domain/prices/day-statistics.ts';
import type { PageRequest, SiteData } from '../frame/site-data.ts';
import { formatDay, formatRon } from '../html/formats.ts';
import { dailyFigure } from '../lookup/daily-prices.ts';
import type { LinkPreview, PreviewFigure } from '../previews/link-preview.ts';
import { fuelName } from './fuel-words.ts';

/** Describes the picture of a page; `null` = there is no such page. */
export type PreviewMaker = (request: Pick<PageRequest, 'language' | 'parameters' | 'data'>) => LinkPreview | null;

/** The texts of the pictures. */
export const PREVIEW_TEXTS = {
  from: { ro: 'de la', en: 'from' },
  fuelPrices: { ro: 'Prețuri carburanți', en: 'Fuel prices' },
  mean: { ro: 'Prețul mediu al carburanților', en: 'Average fuel prices' },
  in: { ro: 'în', en: 'in' },
} as const satisfies Record<string, LocalizedText>;

/** `județul Cluj`; the capital is its own county, and needs no other name. */
export function countyOf(county: { readonly name: string } | null, city: string, language: Language): string {
  if (county === null || county.name === city) return '';
  return { ro: `județul ${county.name}`, en: `${county.name} county` }[language];
}

/** The language, and the day of today's figures. */
export function previewOfToday(
  { snapshot, simulated }: Pick<SiteData, 'snapshot' | 'simulated'>,
  language: Language,
): Pick<LinkPreview, 'language' | 'day' | 'simulated'> {
  return { language, day: formatDay(snapshot.today, language), simulated };
}

/** Of the fuels that have a price. */
export function previewFigures(
  fuels: readonly RoadFuel[],
  priceOf: (fuel: RoadFuel) => MilliPrice | null | undefined,
  language: Language,
  prefix = '',
): PreviewFigure[] {
  return fuels.flatMap((fuel) => {
    const price = priceOf(fuel) ?? null;
    return price === null ? [] : [{ name: fuelName(fuel, language), prefix, price: formatRon(price, language) }];
  });
}

/** The same with the mean of the last 30 days. */
export function figuresWithTrend(
  fuels: readonly RoadFuel[],
  priceOf: (fuel: RoadFuel) => MilliPrice | null | undefined,
  { statistics, today }: SiteData['snapshot'],
  scope: StatisticsScope,
  language: Language,
): PreviewFigure[] {
  return fuels.flatMap((fuel) =>
    previewFigures([fuel], priceOf, language).map((figure) => {
      const trend = dailyFigure(statistics(scope, fuel), 'mean', TREND_DAYS, today);
      return trend.filter((price) => price !== null).length < 2 ? figure : { ...figure, trend };
    }),
  );
}

const TREND_DAYS = 30;
