/** Looks up the names in a filter, so that it stays the same whatever is renamed later. */
import type { FilterFault, WebhookFilter } from '../../domain/webhooks/webhook.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { namedCities, type PlaceLookup } from '../request/named-cities.ts';

export type KnownNames = {
  readonly places: PlaceLookup;
  readonly rendered: Pick<RenderedSnapshot, 'citySlugs' | 'networkSlug' | 'station'>;
};

/** The filter by codes and slugs, or the first part of it that nothing served fits: it would never match. */
export function resolveFilter(
  sent: WebhookFilter,
  { places, rendered }: KnownNames,
): WebhookFilter | { readonly fault: FilterFault } {
  const county = sent.county === null ? null : places.countyByName(sent.county);
  if (county === undefined) return { fault: { field: 'county', choices: [] } };
  const named = sent.city === null ? [] : (namedCities(sent.city, county, { served: rendered, places }) ?? []);
  const cities = sent.city === null ? [null] : citiesIn(county?.code ?? null, named, places);
  if (cities === 'elsewhere') return { fault: { field: 'city in county', choices: [] } };
  const [city] = cities;
  if (city === undefined || cities.length > 1) return { fault: { field: 'city', choices: cities as string[] } };
  const network = sent.network === null ? null : rendered.networkSlug(sent.network);
  if (network === null && sent.network !== null) return { fault: { field: 'network', choices: [] } };
  const unknown = sent.stations?.find((id) => rendered.station(id) === undefined);
  if (unknown !== undefined) return { fault: { field: 'stations', choices: [unknown] } };
  return { fuel: sent.fuel, county: county?.code ?? null, city, network, stations: sent.stations };
}

/** Those of the cities that are in the county; a name that several cities have means the one there. */
function citiesIn(county: string | null, slugs: readonly string[], places: KnownNames['places']) {
  if (county === null) return slugs;
  const there = slugs.filter((slug) => places.localityBySlug(slug)?.county === county);
  return there.length === 0 && slugs.length > 0 ? 'elsewhere' : there;
}
