/** Requests of which no two are alike, so that whatever is remembered of them must have an end. */

import { ask, expect, get } from './expect.ts';
import { Wire } from './raw-connection.ts';
import type { Attack, Battle } from './scenario.ts';

type Shape = (unique: string, serial: number) => readonly [request: string, status: number];

const REFUSED: readonly Shape[] = [
  (unique) => [get(`/api/v1/nu-exista/${unique}`), 404],
  (unique) => [get(`/pagina-${unique}`), 404],
  (unique) => [get(`/logo/marca-${unique}.svg`), 404],
  (unique) => [get(`/api/v1/judete/judet-${unique}`), 404],
  (unique) => [get(`/api/v1/statie/${unique}/istoric`), 404],
  (unique) => [ask('DELETE', `/api/v1/retele?x=${unique}`), 405],
  (unique) => [ask('POST', `/docs?x=${unique}`, 'Content-Length: 0'), 405],
  (unique) => [get(`/api/preturi?x=${unique}`), 410],
  (unique) => [get(`/api/v1/statii?tip=${unique}`), 400],
  (unique) => [get('/api/v1/preturi', `X-Api-Key: ${unique}`), 401],
  (unique) => [get(`/${unique}/${'z'.repeat(8_000)}`), 414],
];

const SERVED: readonly Shape[] = [
  (unique) => [get(`/api/v1/preturi?x=${unique}`), 200],
  (unique) => [get(`/?x=${unique}`, `Accept-Language: ${unique}`), 200],
  (unique) => [get('/api/v1/preturi/minime', `Accept-Encoding: br;q=0.5, ${unique};q=0.1`), 200],
  (unique) => [get(`/api/v1/statii?brand=${unique}`), 200],
  (unique) => [get(`/api/v1/geocode?q=${unique}`), 200],
  (_, serial) => [get(`/api/v1/statii?lat=${44 + (serial % 1e6) * 1e-6}&lon=26.1&raza=${1 + (serial % 7)}`), 200],
  (unique) => [get(`/api/v1/judete/CJ?${unique}=1`, `User-Agent: ${unique}`, `Cookie: a=${unique}`), 200],
];

const KEYED = ['/api/v1/preturi', '/api/v1/cheie', '/api/v1/statii?brand=omv', '/api/v1/preturi/minime'];

export const FLOODS: Readonly<Record<string, Attack>> = {
  'a flood of refusals': (battle) => flood(battle, REFUSED),
  'a flood of questions never asked before': (battle) => flood(battle, SERVED),

  'a flood with keys': async ({ port, each, keys }, number) => {
    const wire = await Wire.open(port);
    for (let i = 0; i < each; i += 1) {
      const key = `X-Api-Key: ${keys[(number + i) % keys.length]}`;
      const heard = await wire.send(get(KEYED[i % KEYED.length] as string, key)).answers(i + 1);
      // Nobody has more than 5 a second; the database may be asked too much to tell.
      if (![200, 429, 503].includes(heard[i] ?? 0)) return `a good key was answered ${heard[i]}`;
    }
    await wire.leave();
    return null;
  },

  'a flood of what the server ends itself': async ({ port, each }, number) => {
    for (let i = 0; i < Math.min(each, 50); i += 1) {
      const wire = await Wire.open(port);
      await wire.send(get(`/?${number}.${i}`, `X-${number}-${i}: ${'y'.repeat(20_000)}`)).closed;
      const complaint = expect(wire.statuses, [431]);
      if (complaint !== null) return complaint;
    }
    return null;
  },
};

/** One request after the other on one connection. */
async function flood({ port, each }: Battle, shapes: readonly Shape[]): Promise<string | null> {
  const wire = await Wire.open(port);
  for (let i = 0; i < each; i += 1) {
    serial += 1;
    const [request, status] = (shapes[i % shapes.length] as Shape)(`u${process.pid}-${serial}`, serial);
    const heard = await wire.send(request).answers(i + 1);
    if (heard[i] !== status) return `${request.slice(0, 60)} was answered ${heard[i]}, not ${status}`;
  }
  await wire.leave();
  return null;
}

/** Nothing is asked twice by this process. */
let serial = 0;
