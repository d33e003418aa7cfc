/** Clients that take their time: to speak, to listen, or to do anything at all. The server must end them by itself. */

import { ask, expect, get, repeated } from './expect.ts';
import { Wire } from './raw-connection.ts';
import type { Attack } from './scenario.ts';

const TRICKLE_MS = 100;
const TAKING_BODIES = ['/api/v1/review', '/api/v1/traseu/custom', '/api/v1/push/subscribe'];
const JSON_TYPE = 'Content-Type: application/json';

export const SLOW: Readonly<Record<string, Attack>> = {
  'headers that trickle': async ({ port }) => {
    const wire = await Wire.open(port);
    await wire.send('GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\nX-Slow: ').trickle('a', TRICKLE_MS);
    return expect(wire.statuses, [408]);
  },

  'bodies that trickle': async ({ port }, number) => {
    const shapes: [string, number][] = [
      [ask('POST', '/api/v1/preturi', 'Content-Length: 100000'), 405],
      [ask('POST', `/api/v1/nu-este-${number}`, 'Content-Length: 100000'), 404],
      [get('/api/v1/retele', 'Content-Length: 100000'), 200],
    ];
    for (const path of TAKING_BODIES) shapes.push([ask('POST', path, JSON_TYPE, 'Content-Length: 10000'), 408]);
    const [request, status] = shapes[number % shapes.length] as [string, number];
    const wire = await Wire.open(port);
    await wire.send(request).trickle('x', TRICKLE_MS);
    // What is said after it may be lost: the client is still sending when the server goes.
    return expect(wire.statuses.slice(0, 1), [status]);
  },

  'answers that nobody reads': async ({ port }, number) => {
    const wire = await Wire.open(port, { deaf: true });
    const path = number % 2 === 0 ? '/openapi.json' : '/api/v1/statii';
    // A client that does not read notices the end only when it writes.
    await wire.send(Array.from({ length: 400 }, () => get(path)).join('')).trickle('\r\n', TRICKLE_MS);
    return null;
  },

  'nothing at all': async ({ port }) => {
    const wire = await Wire.open(port);
    await wire.closed;
    return expect(wire.statuses, [408]);
  },

  'connections left idle': async ({ port, holdMs }) => {
    const wire = await Wire.open(port);
    await wire.send(get('/api/v1/retele')).answers(1);
    const tired = setTimeout(() => wire.leave(), holdMs);
    await wire.closed;
    clearTimeout(tired);
    return expect(wire.statuses, repeated(1, 200));
  },
};
