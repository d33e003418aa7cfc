/** Where a station is, in words. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { foldName } from '../../domain/places/place-names.ts';
import type { ServedStation } from '../../snapshot/snapshot.ts';
import { cityName } from '../lookup/place-slugs.ts';

/** The address with the city, which is added only where the address does not end with it. */
export function addressWithCity({ address, city, citySlug }: ServedStation, gazetteer: Gazetteer): string {
  const shown = cityName(citySlug, city, gazetteer);
  return foldName(address).endsWith(foldName(shown)) ? address : `${address}, ${shown}`;
}
