/** Requests by the thousand without waiting for answers. */

import { expect, get, repeated } from './expect.ts';
import { Wire } from './raw-connection.ts';
import type { Attack } from './scenario.ts';

const PLAIN = ['/api/v1/preturi/minime', '/api/v1/preturi', '/api/v1/health', '/docs'];
/** Answered when the database has counted them, some 20 ms later: one of so many, so that others come to their turn. */
const COUNTED = ['/api/v1/retele', '/api/v1/geocode?q=iasi', '/api/v1/judete/CJ'];
const COUNTED_EVERY = 40;
/** The dearest answers that need no key: to make, and to keep. The kernels of both sides take 10 MB in. */
const SEARCH = '/api/v1/statii?lat=44.43&lon=26.1&raza=50';
const dear = (count: number) =>
  Array.from({ length: count }, () => get(SEARCH, 'Accept-Encoding: br') + get('/openapi.json')).join('');
const GARBAGE = '\x00\x01nonsense\r\n\r\n';
const POKE_MS = 100;
/** What the server reads at once. */
const READ_BYTES = 64 * 1024;

export const PIPELINES: Readonly<Record<string, Attack>> = {
  'a pipeline that is read': async ({ port, each }) => {
    const wire = await Wire.open(port);
    const path = (i: number) =>
      i % COUNTED_EVERY === 0 ? COUNTED[(i / COUNTED_EVERY) % COUNTED.length] : PLAIN[i % PLAIN.length];
    const requests = Array.from({ length: each }, (_, i) => get(path(i) as string));
    await wire.send(requests.join('')).answers(each);
    await wire.leave();
    return expect(wire.statuses, repeated(each, 200));
  },

  'a pipeline that nobody reads': async ({ port, each }) => {
    const wire = await Wire.open(port, { deaf: true });
    await wire.send(dear(each / 2)).trickle('\r\n', POKE_MS);
    return null;
  },

  'a pipeline of the smallest requests': async ({ port }) => {
    const wire = await Wire.open(port, { deaf: true });
    await wire
      .send('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'.repeat(READ_BYTES / 16))
      .trickle('\r\n', POKE_MS);
    return null;
  },

  'a pipeline that ends in garbage': async ({ port, each }) => {
    const good = Math.min(each, 300);
    const wire = await Wire.open(port);
    await wire.send(get('/api/v1/preturi/minime').repeat(good) + GARBAGE).closed;
    return expect(wire.statuses, [...repeated(good, 200), 400]);
  },
};
