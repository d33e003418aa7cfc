/** The services a station offers, from the register's separate list. */
import { asObject, cleanId, cleanText } from '../../feed/fields.ts';

const MAX_SERVICES = 40;
/** Sorted by their ids before the first ones are taken. */
const MAX_SERVICES_READ = 400;

/** Names of the services by station id, in the order of the service ids, each once. */
export function servicesOf(rows: readonly unknown[]): Map<string, string[]> {
  const byStation = new Map<string, { id: string; name: string }[]>();
  for (const row of rows.map(asObject)) {
    const station = cleanId(row.stationid);
    const name = cleanText(row.name);
    if (station === null || name === '') continue;
    const known = byStation.get(station);
    if (known === undefined) byStation.set(station, [{ id: cleanText(row.id), name }]);
    else if (known.length < MAX_SERVICES_READ) known.push({ id: cleanText(row.id), name });
  }
  return new Map([...byStation].map(([station, services]) => [station, orderedNames(services)]));
}

function orderedNames(services: readonly { id: string; name: string }[]): string[] {
  const ordered = services.toSorted((a, b) => a.id.localeCompare(b.id, 'en', { numeric: true }));
  return [...new Set(ordered.map(({ name }) => name))].slice(0, MAX_SERVICES);
}
