/** Slow clients: they send slowly, never read, or do nothing. The server must end their connections itself. */

import { expectStatuses, rawGet, rawRequest, repeated } from './expect.ts';
import { RawConnection } from './raw-connection.ts';
import type { Attack } from './scenario.ts';

const TRICKLE_MS = 100;
const BODY_PATHS = ['/api/v1/review', '/api/v1/traseu/custom', '/api/v1/push/subscribe'];
const JSON_TYPE = 'Content-Type: application/json';

export const SLOW: Readonly<Record<string, Attack>> = {
  'headers that trickle': async ({ port }) => {
    const connection = await RawConnection.open(port);
    await connection.send('GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\nX-Slow: ').trickle('a', TRICKLE_MS);
    return expectStatuses(connection.statuses, [408]);
  },

  'bodies that trickle': async ({ port }, number) => {
    const requests: [string, number][] = [
      [rawRequest('POST', '/api/v1/preturi', 'Content-Length: 100000'), 405],
      [rawRequest('POST', `/api/v1/nu-este-${number}`, 'Content-Length: 100000'), 404],
      [rawGet('/api/v1/retele', 'Content-Length: 100000'), 200],
    ];
    for (const path of BODY_PATHS) requests.push([rawRequest('POST', path, JSON_TYPE, 'Content-Length: 10000'), 408]);
    const [request, status] = requests[number % requests.length] as [string, number];
    const connection = await RawConnection.open(port);
    await connection.send(request).trickle('x', TRICKLE_MS);
    // Later answers may be lost, because the client is still sending when the server closes the connection.
    return expectStatuses(connection.statuses.slice(0, 1), [status]);
  },

  'answers that nobody reads': async ({ port }, number) => {
    const connection = await RawConnection.open(port, { deaf: true });
    const path = number % 2 === 0 ? '/openapi.json' : '/api/v1/statii';
    // A client that does not read notices the end only when it writes.
    await connection.send(Array.from({ length: 400 }, () => rawGet(path)).join('')).trickle('\r\n', TRICKLE_MS);
    return null;
  },

  'connections that send nothing': async ({ port }) => {
    const connection = await RawConnection.open(port);
    await connection.closed;
    return expectStatuses(connection.statuses, [408]);
  },

  'connections left idle': async ({ port, holdMs }) => {
    const connection = await RawConnection.open(port);
    await connection.send(rawGet('/api/v1/retele')).answers(1);
    const timer = setTimeout(() => connection.leave(), holdMs);
    await connection.closed;
    clearTimeout(timer);
    return expectStatuses(connection.statuses, repeated(1, 200));
  },
};
