import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, test } from 'node:test';
import Fastify from 'fastify';
import { limitChunks } from './body-chunks.ts';
import { MAX_CHUNKS } from './connection/connection-limits.ts';
import { frameworkProblem } from './framework-problem.ts';

/** The status that a client gets for a body of `count` chunks, and how many bytes the server read. */
async function sendChunks(count: number): Promise<{ status: string; read: number }> {
  const app = Fastify();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
  app.post('/', {
    preParsing: limitChunks,
    errorHandler: (error, _, reply) =>
      reply
        .code(frameworkProblem(error)?.status ?? 500)
        .header('Connection', 'close')
        .send(''),
    handler: (request) => String((request.body as Buffer).length),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    let read = 0;
    app.server.once('connection', (socket) =>
      socket.once('close', () => {
        read = socket.bytesRead;
      }),
    );
    const { port } = app.server.address() as net.AddressInfo;
    const client = net.connect(port, '127.0.0.1');
    client.write(
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    client.write(`${'1\r\nx\r\n'.repeat(count)}0\r\n\r\n`);
    let answer = '';
    client
      .on('error', () => undefined)
      .on('data', (bytes) => {
        answer += bytes;
      });
    await new Promise((resolve) => client.once('close', resolve));
    return { status: answer.slice(9, 12), read };
  } finally {
    await app.close();
  }
}

describe('a body in chunks of one byte', () => {
  test('is read up to the bound', async () => {
    assert.equal((await sendChunks(MAX_CHUNKS)).status, '200');
  });

  test('is refused as too large from there on, however many more follow', async () => {
    for (const count of [MAX_CHUNKS + 1, 10_000, 1_000_000]) {
      const { status, read } = await sendChunks(count);
      assert.equal(status, '413');
      assert.ok(read <= 4 * 65_536, `${read} bytes read`);
    }
  });
});
