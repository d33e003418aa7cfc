/** Clients that send thousands of requests without waiting for answers. */

import { expectStatuses, rawGet, repeated } from './expect.ts';
import { RawConnection } from './raw-connection.ts';
import type { Attack } from './scenario.ts';

const UNCAPPED_PATHS = ['/api/v1/preturi/minime', '/api/v1/preturi', '/api/v1/health', '/docs'];
/**
 * The database counts these first, which takes about 20 ms; only one in `CAPPED_EVERY` requests is one of them, so that
 * a pipeline does not take too long.
 */
const CAPPED_PATHS = ['/api/v1/retele', '/api/v1/geocode?q=iasi', '/api/v1/judete/CJ'];
const CAPPED_EVERY = 40;
/** The answers without a key that cost most to make and to buffer. The kernels of both sides buffer 10 MB. */
const SEARCH = '/api/v1/statii?lat=44.43&lon=26.1&raza=50';
const expensivePipeline = (count: number) =>
  Array.from({ length: count }, () => rawGet(SEARCH, 'Accept-Encoding: br') + rawGet('/openapi.json')).join('');
const GARBAGE = '\x00\x01nonsense\r\n\r\n';
const WRITE_INTERVAL_MS = 100;
/** How many bytes the server reads at once. */
const READ_BYTES = 64 * 1024;

export const PIPELINES: Readonly<Record<string, Attack>> = {
  'a pipeline that is read': async ({ port, each }) => {
    const connection = await RawConnection.open(port);
    const path = (i: number) =>
      i % CAPPED_EVERY === 0
        ? CAPPED_PATHS[(i / CAPPED_EVERY) % CAPPED_PATHS.length]
        : UNCAPPED_PATHS[i % UNCAPPED_PATHS.length];
    const requests = Array.from({ length: each }, (_, i) => rawGet(path(i) as string));
    await connection.send(requests.join('')).answers(each);
    await connection.leave();
    return expectStatuses(connection.statuses, repeated(each, 200));
  },

  'a pipeline that nobody reads': async ({ port, each }) => {
    const connection = await RawConnection.open(port, { deaf: true });
    await connection.send(expensivePipeline(each / 2)).trickle('\r\n', WRITE_INTERVAL_MS);
    return null;
  },

  'a pipeline of the smallest requests': async ({ port }) => {
    const connection = await RawConnection.open(port, { deaf: true });
    await connection
      .send('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'.repeat(READ_BYTES / 16))
      .trickle('\r\n', WRITE_INTERVAL_MS);
    return null;
  },

  'a pipeline that ends in garbage': async ({ port, each }) => {
    const good = Math.min(each, 300);
    const connection = await RawConnection.open(port);
    await connection.send(rawGet('/api/v1/preturi/minime').repeat(good) + GARBAGE).closed;
    return expectStatuses(connection.statuses, [...repeated(good, 200), 400]);
  },
};
