/** Connections that are given up: with a reset or in order, within a request, within an answer, and between. */
import { once } from 'node:events';
import { ask, expect, get } from './expect.ts';
import { Wire } from './raw-connection.ts';
import type { Attack, Battle } from './scenario.ts';

type Parting = 'reset' | 'leave';

export const ABORTS: Readonly<Record<string, Attack>> = {
  'aborts within the headers': (battle, number) =>
    aborted(battle, number, (wire) => void wire.send('GET /api/v1/statii HTTP/1.1\r\nHost:')),

  'aborts within a body': (battle, number) =>
    aborted(battle, number, async (wire) => {
      await wire.send(`${ask('POST', '/api/v1/retele', 'Content-Length: 5000')}${'x'.repeat(1_000)}`).answers(1);
    }),

  'aborts within a body that is taken': (battle, number) =>
    aborted(battle, number, (wire) => {
      const request = ask('POST', '/api/v1/review', 'Content-Type: application/json', 'Content-Length: 5000');
      wire.send(`${request}${'x'.repeat(1_000)}`);
    }),

  'aborts before an answer': (battle, number) =>
    aborted(battle, number, (wire) => void wire.send(get('/api/v1/statii').repeat(20))),

  'aborts within an answer': (battle, number) =>
    aborted(battle, number, async (wire) => {
      wire.send(get('/openapi.json').repeat(40));
      await Promise.race([once(wire.socket, 'data'), wire.closed]);
    }),

  'aborts between requests': (battle, number) =>
    aborted(battle, number, async (wire) => {
      await wire.send(get('/api/v1/retele')).answers(1);
    }),

  'clients that end their side and wait': async ({ port }) => {
    const wire = await Wire.open(port);
    wire.socket.end(get('/docs') + get('/api/v1/statii', 'Accept-Encoding: br') + get('/api/v1/retele'));
    await wire.closed;
    return expect(wire.statuses, [200, 200, 200]);
  },

  'an end within the headers': async ({ port }) => {
    const wire = await Wire.open(port);
    wire.socket.end('GET /api/v1/statii HTTP/1.1\r\nHost:');
    await wire.closed;
    return expect(wire.statuses, [400]);
  },
};

async function aborted({ port }: Battle, number: number, speak: (wire: Wire) => void | Promise<void>): Promise<null> {
  const wire = await Wire.open(port);
  await speak(wire);
  const parting: Parting = number % 2 === 0 ? 'reset' : 'leave';
  await wire[parting]();
  return null;
}
