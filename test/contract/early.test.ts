/** What is answered while the program is still being loaded is what it answers afterwards. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import zlib from 'node:zlib';
import { CONNECTION_LIMITS } from '../../src/api/http/connection/connection-limits.ts';
import { renderEarlyAnswers } from '../../src/api/http/fast-path/early-answers.ts';
import { createHttpServer } from '../../src/api/http/http-server.ts';
import { RenderedSnapshot } from '../../src/api/rendering/rendered-snapshot.ts';
import { REFUSAL_KINDS } from '../../src/api/response/refusal-kinds.ts';
import { trustedProxies } from '../../src/config/address-lists.ts';
import { RequestCounts } from '../../src/telemetry/request-counts.ts';
import { TestService } from '../support/service/test-service.ts';
import { world } from '../support/worlds/contract-world.ts';

const EARLY = ['/api/v1/preturi/minime', '/api/v1/preturi'].flatMap((target) =>
  ['identity', 'br', 'gzip', 'zstd'].map((coding) => `GET ${target} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}`),
);
const LATER = [
  'GET /api/v1/retele HTTP/1.1\r\nHost: x',
  'GET /api/v1/preturi?zeros=da HTTP/1.1\r\nHost: x',
  'GET /api/v1/preturi HTTP/1.1\r\nHost: x\r\nX-Api-Key: nonsense',
  'HEAD /api/v1/preturi/minime HTTP/1.1\r\nHost: x',
  'POST /api/v1/preturi/minime HTTP/1.1\r\nHost: x\r\nContent-Length: 0',
  'GET /nimic HTTP/1.1\r\nHost: x',
];

const DECODERS: Readonly<Record<string, (coded: Buffer) => Buffer>> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: zlib.zstdDecompressSync,
};

/** An answer decoded, without what depends on the moment: brotli is compressed better after a while. */
function readable(answer: string): string {
  const bodyStart = answer.indexOf('\r\n\r\n') + 4;
  const head = answer.slice(0, bodyStart).replace(/\r\n(Date|Content-Length): [^\r]*/g, '');
  const decode = DECODERS[/\r\nContent-Encoding: (\w+)/.exec(head)?.[1] ?? ''] ?? ((plain: Buffer) => plain);
  return head + decode(Buffer.from(answer.slice(bodyStart), 'latin1')).toString();
}

test('the prices without key and limit are the same before and after, and everything else waits', async (t) => {
  const snapshot = world();
  const counts = new RequestCounts(REFUSAL_KINDS);
  const proxies = trustedProxies('127.0.0.1');
  const log = { error: () => undefined, warn: () => undefined };
  const httpServer = createHttpServer({ limits: CONNECTION_LIMITS, trustedProxies: proxies, counts, log });
  const rendered = await RenderedSnapshot.render(snapshot);
  httpServer.answerEarly(await renderEarlyAnswers(rendered, counts));
  const { port } = await httpServer.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (request: string) => {
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write(`${request}\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n`);
    return readable(await text(socket));
  };
  let isCompleting = false;
  const later = LATER.map(async (request) => {
    const answer = await ask(request);
    return { isCompleting, answer };
  });
  const before = await Promise.all(EARLY.map(ask));
  isCompleting = true;
  const service = await TestService.during(t, {
    early: { httpServer, rendered },
    snapshot,
    counts,
    trustedProxies: proxies,
  });
  assert.deepEqual(await Promise.all(EARLY.map(ask)), before);
  for (const { isCompleting: waited, answer } of await Promise.all(later)) assert.ok(waited, answer);
  const statuses = (await Promise.all(later)).map(({ answer }) => Number(answer.slice(9, 12)));
  assert.deepEqual(statuses, [200, 200, 401, 200, 405, 404]);
  const numbers = ['getPrices', 'getNationalPrices'].map((name) => counts.series(name, 'fast').byStatus.get(200));
  // One of those that waited has another query.
  assert.deepEqual(numbers, [EARLY.length + 1, EARLY.length], 'early answers are counted with the others');
  assert.equal(service.port, port);
});
