/**
 * The station finders of OMV, Petrom and MOL as sources: no prices, but hours, services, telephones and coordinates.
 */

import { type StationFeed, sweepFeed } from '../feed/station-feed.ts';
import type { Source } from '../source.ts';
import { MOL_REQUEST, readMolStation } from './mol.ts';
import { wigeogisReader, wigeogisRequest } from './wigeogis.ts';

export type LocatorBrand = 'omv' | 'petrom' | 'mol';

const FEEDS: Readonly<Record<LocatorBrand, Omit<StationFeed, 'name'>>> = {
  omv: { request: wigeogisRequest('OMV'), read: wigeogisReader('OMV') },
  petrom: { request: wigeogisRequest('PETROM'), read: wigeogisReader('PETROM') },
  mol: { request: MOL_REQUEST, read: readMolStation },
};

/** The station finder of one brand, such as `locator:omv`. Its readings have no prices: they list the fuels on sale. */
export function locatorSource(brand: LocatorBrand): Source {
  const feed: StationFeed = { name: `locator:${brand}`, ...FEEDS[brand] };
  return { name: feed.name, sweep: (context) => sweepFeed(feed, context) };
}
