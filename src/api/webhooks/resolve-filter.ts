/** Looks up the names in a filter, so that it stays the same whatever is renamed later. */
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { FIELD_MESSAGES, WEBHOOK_MESSAGES } from '../contract/messages.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import { type Problem, problem } from '../response/problem.ts';
import type { SentWebhookFilter } from './webhook-fields.ts';
import type { WebhookFilter } from './webhook-service.ts';

type Known = {
  readonly places: Pick<Gazetteer, 'countyByName'>;
  readonly rendered: Pick<RenderedSnapshot, 'citySlugs' | 'networkSlug'>;
};

/** The filter by codes and slugs, or the refusal of a name that nothing served has: it would never match. */
export function resolveFilter(
  sent: SentWebhookFilter,
  { places, rendered }: Known,
): WebhookFilter | { readonly problem: Problem } {
  const county = sent.county === null ? null : (places.countyByName(sent.county)?.code ?? undefined);
  if (county === undefined) return wrong('filtru.judet', WEBHOOK_MESSAGES.unknownCounty);
  const cities = sent.city === null ? [null] : rendered.citySlugs(sent.city);
  const [city] = cities;
  if (city === undefined) return wrong('filtru.oras', WEBHOOK_MESSAGES.unknownCity);
  if (cities.length > 1) return wrong('filtru.oras', WEBHOOK_MESSAGES.ambiguousCity(cities as string[]));
  const network = sent.network === null ? null : (rendered.networkSlug(sent.network) ?? undefined);
  if (network === undefined) return wrong('filtru.brand', WEBHOOK_MESSAGES.unknownNetwork);
  return { fuel: sent.fuel, county, city, network, stations: sent.stations };
}

const wrong = (field: string, expected: string) => ({ problem: problem(400, FIELD_MESSAGES.wrong(field, expected)) });
