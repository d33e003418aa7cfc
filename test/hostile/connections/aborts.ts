/** Clients that abort connections, by a reset or a normal close: within a request, within an answer, and in between. */
import { once } from 'node:events';
import { expectStatuses, rawGet, rawRequest } from './expect.ts';
import { RawConnection } from './raw-connection.ts';
import type { Attack, AttackScenario } from './scenario.ts';

type CloseMode = 'reset' | 'leave';

export const ABORTS: Readonly<Record<string, Attack>> = {
  'aborts within the headers': (scenario, number) =>
    abortConnection(scenario, number, (connection) => void connection.send('GET /api/v1/statii HTTP/1.1\r\nHost:')),

  'aborts within a body': (scenario, number) =>
    abortConnection(scenario, number, async (connection) => {
      await connection
        .send(`${rawRequest('POST', '/api/v1/retele', 'Content-Length: 5000')}${'x'.repeat(1_000)}`)
        .answers(1);
    }),

  'aborts within an accepted body': (scenario, number) =>
    abortConnection(scenario, number, (connection) => {
      const request = rawRequest('POST', '/api/v1/review', 'Content-Type: application/json', 'Content-Length: 5000');
      connection.send(`${request}${'x'.repeat(1_000)}`);
    }),

  'aborts before an answer': (scenario, number) =>
    abortConnection(scenario, number, (connection) => void connection.send(rawGet('/api/v1/statii').repeat(20))),

  'aborts within an answer': (scenario, number) =>
    abortConnection(scenario, number, async (connection) => {
      connection.send(rawGet('/openapi.json').repeat(40));
      await Promise.race([once(connection.socket, 'data'), connection.closed]);
    }),

  'aborts between requests': (scenario, number) =>
    abortConnection(scenario, number, async (connection) => {
      await connection.send(rawGet('/api/v1/retele')).answers(1);
    }),

  'half-closed connections': async ({ port }) => {
    const connection = await RawConnection.open(port);
    connection.socket.end(rawGet('/docs') + rawGet('/api/v1/statii', 'Accept-Encoding: br') + rawGet('/api/v1/retele'));
    await connection.closed;
    return expectStatuses(connection.statuses, [200, 200, 200]);
  },

  'half-closes within the headers': async ({ port }) => {
    const connection = await RawConnection.open(port);
    connection.socket.end('GET /api/v1/statii HTTP/1.1\r\nHost:');
    await connection.closed;
    return expectStatuses(connection.statuses, [400]);
  },
};

async function abortConnection(
  { port }: AttackScenario,
  number: number,
  sendPart: (connection: RawConnection) => void | Promise<void>,
): Promise<null> {
  const connection = await RawConnection.open(port);
  await sendPart(connection);
  const closeMode: CloseMode = number % 2 === 0 ? 'reset' : 'leave';
  await connection[closeMode]();
  return null;
}
