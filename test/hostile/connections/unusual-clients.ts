/** Clients that send unusual requests, or bytes that are not HTTP. */

import { MAX_CHUNKS } from '../../../src/api/http/connection/connection-limits.ts';
import { expectStatuses, rawGet, rawRequest, repeated } from './expect.ts';
import { RawConnection } from './raw-connection.ts';
import type { Attack } from './scenario.ts';

/** The beginning of a TLS handshake. */
const CLIENT_HELLO = Buffer.from('160301020001000001fc0303', 'hex');

export const UNUSUAL_CLIENTS: Readonly<Record<string, Attack>> = {
  'TLS to the plain port': async ({ port }) => {
    const connection = await RawConnection.open(port);
    await connection.send(Buffer.concat([CLIENT_HELLO, Buffer.alloc(500, 0x5a)])).closed;
    return expectStatuses(connection.statuses, [400]);
  },

  'Expect: 100-continue': async ({ port }) => {
    const connection = await RawConnection.open(port);
    await connection.send(rawRequest('POST', '/api/v1/retele', 'Content-Length: 5', 'Expect: 100-continue')).answers(2);
    await connection.send(`12345${rawGet('/api/v1/retele')}`).answers(3);
    await connection.leave();
    return expectStatuses(connection.statuses, [100, 405, 200]);
  },

  'a body of tiny chunks': async ({ port, each }) => {
    const connection = await RawConnection.open(port);
    connection.send(rawRequest('POST', '/api/v1/retele', 'Transfer-Encoding: chunked'));
    await connection.send(`${'1\r\nx\r\n'.repeat(each)}0\r\n\r\n${rawGet('/api/v1/retele')}`).answers(2);
    await connection.leave();
    // After its answer the server reads data only for a limited time.
    return expectStatuses(connection.statuses.slice(0, 1), [405]);
  },

  'an accepted body of tiny chunks': async ({ port, each }) => {
    const connection = await RawConnection.open(port);
    connection.send(
      rawRequest('POST', '/api/v1/review', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
    );
    await connection
      .send(`${'1\r\nx\r\n'.repeat(Math.min(each, MAX_CHUNKS))}0\r\n\r\n${rawGet('/api/v1/retele')}`)
      .answers(2);
    await connection.leave();
    return expectStatuses(connection.statuses, [400, 200]);
  },

  // Node accepts 1,000 fields at most.
  'a thousand header fields': async ({ port }) => {
    const fields = Array.from({ length: 990 }, (_, i) => `x${i}: y`);
    const connection = await RawConnection.open(port);
    await connection.send(rawGet('/api/v1/retele', ...fields)).answers(1);
    await connection.send(rawGet('/api/v1/retele', ...fields, ...fields)).closed;
    return expectStatuses(connection.statuses, [200, 431]);
  },

  'one request per connection': async ({ port, each }) => {
    const rounds = Math.min(each, 20);
    const statuses: number[] = [];
    for (let i = 0; i < rounds; i += 1) {
      const connection = await RawConnection.open(port);
      await connection.send(rawGet('/api/v1/statii', 'Accept-Encoding: gzip', 'Connection: close')).closed;
      statuses.push(...connection.statuses);
    }
    return expectStatuses(statuses, repeated(rounds, 200));
  },
};
