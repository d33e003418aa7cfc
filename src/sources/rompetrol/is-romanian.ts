/** Decides which stations are in Romania: Rompetrol's list mixes Romania and Bulgaria without naming the country. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import type { Point } from '../../domain/point.ts';
import type { ProductItem } from './infowindow.ts';

export type CountryEvidence = {
  readonly items: readonly ProductItem[];
  readonly county: string;
  readonly point: Point | null;
};

/**
 * Whether the station is in Romania. County and coordinates outweigh the text of the prices, which says `LEI` at
 * Bulgarian stations too: a Romanian county means yes; with another county or an unknown spelling, the point
 * must lie in Romania and the prices be in lei; without a county the point decides, and without both the currency.
 */
export function isRomanian({ items, county, point }: CountryEvidence, gazetteer: Gazetteer): boolean {
  const isInLei = items.some(({ price }) => price.kind === 'ron');
  if (!isInLei && items.some(({ price }) => price.kind === 'other_currency')) return false;
  if (county !== '' && gazetteer.countyByName(county.replace(COUNTY_WORD, '')) !== undefined) return true;
  if (county !== '') return isInLei && point !== null && gazetteer.insideRomania(point);
  return point === null ? isInLei : gazetteer.insideRomania(point);
}

const COUNTY_WORD = /^\s*(?:jude[tțţ]ul|jude[tțţ]|jud\.?|municipiul)\s+/i;
