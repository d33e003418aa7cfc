/** The form of a webhook, new or known: what was typed into it, and what that means. */
import { kindField, type TypedWebhook, type WebhookProblem } from '../../domain/billing/webhooks-view.ts';
import { CHANGE_KINDS } from '../../domain/changes/served-change.ts';
import { FUELS } from '../../domain/fuel.ts';
import { FUEL_CODE } from '../../domain/fuel-codes.ts';
import { stationIdOf } from '../../domain/stations/station-slug.ts';
import { leavesOutAllKinds, MAX_FILTER_STATIONS, type WebhookContent } from '../../domain/webhooks/webhook.ts';
import { type KnownNames, resolveFilter } from './resolve-filter.ts';
import { parseWebhookAddress } from './webhook-address.ts';

/** Characters that are shown again of a field, and of a list of stations: the addresses of their pages. */
const MAX_TEXT = 500;
const MAX_STATIONS_TEXT = 10_000;

/** What was typed, to be shown again. */
export function typedWebhook(fields: Readonly<Record<string, string>>): TypedWebhook {
  const text = (name: string, most = MAX_TEXT) => (fields[name] ?? '').slice(0, most);
  return {
    ...{ key: text('key'), url: text('url'), fuel: text('fuel') },
    ...{ county: text('county'), city: text('city'), network: text('network') },
    stations: text('stations', MAX_STATIONS_TEXT),
    kinds: CHANGE_KINDS.filter((kind) => fields[kindField(kind)] === 'on'),
  };
}

/** The webhook that was meant, or what is wrong. */
export function parseWebhookForm(
  typed: TypedWebhook,
  { allowedOrigins, ...names }: KnownNames & { readonly allowedOrigins: readonly string[] },
): WebhookContent | { readonly problem: WebhookProblem } {
  const address = parseWebhookAddress(typed.url, allowedOrigins);
  if ('fault' in address) return { problem: { kind: 'address', fault: address.fault } };
  const stations = parseStations(typed.stations);
  if ('problem' in stations) return stations;
  const nameOrNull = (name: string) => (name.trim() === '' ? null : name.trim());
  const { county, city, network, kinds } = typed;
  const fuel = FUELS.find((each) => FUEL_CODE[each] === typed.fuel) ?? null;
  const sent = { fuel, county: nameOrNull(county), city: nameOrNull(city), network: nameOrNull(network), ...stations };
  const filter = resolveFilter(sent, names);
  if ('fault' in filter) return { problem: { kind: 'filter', fault: filter.fault } };
  if (kinds.length === 0) return { problem: { kind: 'no kind' } };
  if (leavesOutAllKinds({ filter, kinds }))
    return { problem: { kind: 'filter', fault: { field: 'kinds', choices: [] } } };
  return { url: address.url, filter, kinds };
}

/** Ids of stations, or the addresses of their pages, however they are separated. */
function parseStations(
  typed: string,
): { readonly stations: readonly string[] | null } | { readonly problem: WebhookProblem } {
  const words = typed.split(/[\s,;]+/).filter((word) => word !== '');
  if (words.length === 0) return { stations: null };
  const ids = new Set<string>();
  for (const word of words) {
    const id = stationIdOf(word.replace(/[?#].*$|\/+$/g, ''));
    if (id === null) return { problem: { kind: 'filter', fault: { field: 'stations', choices: [word] } } };
    ids.add(id);
  }
  return ids.size > MAX_FILTER_STATIONS ? { problem: { kind: 'too many stations' } } : { stations: [...ids] };
}
