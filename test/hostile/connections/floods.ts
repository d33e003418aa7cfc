/** Requests that are all different: whatever the service caches of them must be bounded. */

import { expectStatuses, rawGet, rawRequest } from './expect.ts';
import { RawConnection } from './raw-connection.ts';
import type { Attack, AttackScenario } from './scenario.ts';

type RequestShape = (unique: string, serial: number) => readonly [request: string, status: number];

const REFUSED: readonly RequestShape[] = [
  (unique) => [rawGet(`/api/v1/nu-exista/${unique}`), 404],
  (unique) => [rawGet(`/pagina-${unique}`), 404],
  (unique) => [rawGet(`/logo/marca-${unique}.svg`), 404],
  (unique) => [rawGet(`/api/v1/judete/judet-${unique}`), 404],
  (unique) => [rawGet(`/api/v1/statie/${unique}/istoric`), 404],
  (unique) => [rawRequest('DELETE', `/api/v1/retele?x=${unique}`), 405],
  (unique) => [rawRequest('POST', `/docs?x=${unique}`, 'Content-Length: 0'), 405],
  (unique) => [rawGet(`/api/preturi?x=${unique}`), 410],
  (unique) => [rawGet(`/api/v1/statii?tip=${unique}`), 400],
  (unique) => [rawGet('/api/v1/preturi', `X-Api-Key: ${unique}`), 401],
  (unique) => [rawGet(`/${unique}/${'z'.repeat(8_000)}`), 414],
];

const SERVED: readonly RequestShape[] = [
  (unique) => [rawGet(`/api/v1/preturi?x=${unique}`), 200],
  (unique) => [rawGet(`/?x=${unique}`, `Accept-Language: ${unique}`), 200],
  (unique) => [rawGet('/api/v1/preturi/minime', `Accept-Encoding: br;q=0.5, ${unique};q=0.1`), 200],
  (unique) => [rawGet(`/api/v1/statii?brand=${unique}`), 200],
  (unique) => [rawGet(`/api/v1/geocode?q=${unique}`), 200],
  (_, serial) => [rawGet(`/api/v1/statii?lat=${44 + (serial % 1e6) * 1e-6}&lon=26.1&raza=${1 + (serial % 7)}`), 200],
  (unique) => [rawGet(`/api/v1/judete/CJ?${unique}=1`, `User-Agent: ${unique}`, `Cookie: a=${unique}`), 200],
];

const KEYED = ['/api/v1/preturi', '/api/v1/cheie', '/api/v1/statii?brand=omv', '/api/v1/preturi/minime'];

export const FLOODS: Readonly<Record<string, Attack>> = {
  'a flood of refusals': (scenario) => flood(scenario, REFUSED),
  'a flood of unique requests': (scenario) => flood(scenario, SERVED),

  'a flood with keys': async ({ port, each, keys }, number) => {
    const connection = await RawConnection.open(port);
    for (let i = 0; i < each; i += 1) {
      const key = `X-Api-Key: ${keys[(number + i) % keys.length]}`;
      const statuses = await connection.send(rawGet(KEYED[i % KEYED.length] as string, key)).answers(i + 1);
      // A key may send 5 requests a second; the database may be too busy to decide.
      if (![200, 429, 503].includes(statuses[i] ?? 0)) return `a good key was answered ${statuses[i]}`;
    }
    await connection.leave();
    return null;
  },

  'a flood of requests that the server disconnects': async ({ port, each }, number) => {
    for (let i = 0; i < Math.min(each, 50); i += 1) {
      const connection = await RawConnection.open(port);
      await connection.send(rawGet(`/?${number}.${i}`, `X-${number}-${i}: ${'y'.repeat(20_000)}`)).closed;
      const complaint = expectStatuses(connection.statuses, [431]);
      if (complaint !== null) return complaint;
    }
    return null;
  },
};

/** Sends one request after another on one connection. */
async function flood({ port, each }: AttackScenario, requestShapes: readonly RequestShape[]): Promise<string | null> {
  const connection = await RawConnection.open(port);
  for (let i = 0; i < each; i += 1) {
    serial += 1;
    const [request, status] = (requestShapes[i % requestShapes.length] as RequestShape)(
      `u${process.pid}-${serial}`,
      serial,
    );
    const statuses = await connection.send(request).answers(i + 1);
    if (statuses[i] !== status) return `${request.slice(0, 60)} was answered ${statuses[i]}, not ${status}`;
  }
  await connection.leave();
  return null;
}

/** Makes each request of this process unique. */
let serial = 0;
