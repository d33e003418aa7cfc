/** What a page of the site is about, by its address alone. Decision 41. */
import type { RoadFuel } from '../domain/fuel.ts';

/** Fuels as the addresses of pages write them. */
const PAGE_FUELS: ReadonlyMap<string, RoadFuel> = new Map([
  ['benzina', 'petrol'],
  ['benzina-premium', 'petrol_premium'],
  ['motorina', 'diesel'],
  ['motorina-premium', 'diesel_premium'],
  ['gpl', 'lpg'],
]);

export type PageSubject = {
  /** Slug of a city, as written. */
  readonly city?: string;
  readonly fuel?: RoadFuel;
  /** Id of the station whose page it is. */
  readonly station?: string;
};

/** A page about no city and no fuel, of a county too, is about the country. */
export function pageSubject(page: string): PageSubject {
  const path = URL.parse(page, 'http://site')?.pathname ?? '/';
  const [section, subject = '', fuel = '', ...more] = path.split('/').filter((part) => part !== '');
  if (more.length > 0) return {};
  if (section === 'preturi-carburanti') {
    const named = PAGE_FUELS.get(fuel);
    return { city: subject, ...(named !== undefined && { fuel: named }) };
  }
  const [station] = /[0-9a-f]{12}$/.exec(subject) ?? [];
  return section === 'statie' && fuel === '' && station !== undefined ? { station } : {};
}
