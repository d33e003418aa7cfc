/** Looks up the names in a filter, so that it stays the same whatever is renamed later. */
import type { FilterFault, WebhookFilter } from '../../domain/webhooks/webhook.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { namedCities, type PlaceLookup } from '../request/named-cities.ts';

export type KnownNames = {
  readonly places: PlaceLookup;
  readonly rendered: Pick<RenderedSnapshot, 'citySlugs' | 'networkSlug'>;
};

/** The filter by codes and slugs, or the first name that nothing served has: it would never match. */
export function resolveFilter(
  sent: WebhookFilter,
  { places, rendered }: KnownNames,
): WebhookFilter | { readonly fault: FilterFault } {
  const county = sent.county === null ? null : places.countyByName(sent.county);
  if (county === undefined) return { fault: { field: 'county', choices: [] } };
  const cities = sent.city === null ? [null] : (namedCities(sent.city, county, { served: rendered, places }) ?? []);
  const [city] = cities;
  if (city === undefined || cities.length > 1) return { fault: { field: 'city', choices: cities as string[] } };
  const network = sent.network === null ? null : rendered.networkSlug(sent.network);
  if (network === null && sent.network !== null) return { fault: { field: 'network', choices: [] } };
  return { fuel: sent.fuel, county: county?.code ?? null, city, network, stations: sent.stations };
}
