import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TestService } from '../../../test/support/service/test-service.ts';
import { PUBLICATION_PATH } from '../../domain/prices/publication-announcement.ts';
import { type PublicationRoutesDependencies, publicationRoutes } from './publication-routes.ts';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const headers = { authorization: `Bearer ${TOKEN}` };

/** A service that relays a publication to one waiting follower at a time, and sends one part at a time. */
async function giver(part: Buffer) {
  const changed = Promise.withResolvers<void>();
  const waiting = Promise.withResolvers<void>();
  const relay: PublicationRoutesDependencies['relay'] = {
    sent: { text: '{}', digest: 'known' },
    part: () => part,
    whenChanged: () => {
      waiting.resolve();
      return changed.promise;
    },
  };
  const limits = { waiting: 1, receiving: 1 };
  const service = await TestService.start({
    routesOn: ({ stallTimeoutMs }) => [
      { group: 'publications', routes: publicationRoutes({ relay, token: TOKEN, stallTimeoutMs, limits }) },
    ],
  });
  const get = (target: string, more = {}) =>
    fetch(`http://127.0.0.1:${service.port}${PUBLICATION_PATH}${target}`, { headers: { ...headers, ...more } });
  return { service, get, changed, waiting: waiting.promise };
}

describe('the publication is relayed to a bounded number of followers', () => {
  test('that wait', async () => {
    const { service, get, changed, waiting } = await giver(Buffer.from('part'));
    const tag = { 'if-none-match': '"known"' };
    const first = get('?wait=30', tag);
    await waiting;
    const second = await get('?wait=30', tag);
    assert.deepEqual([second.status, second.headers.get('retry-after')], [503, '10']);
    assert.equal((await get('', tag)).status, 304, 'who does not wait is answered');
    changed.resolve();
    assert.equal((await first).status, 304);
    assert.equal((await get('?wait=30', tag)).status, 304, 'the place is free again');
    await service.api.close();
  });

  test('that receive a part, until they have it or have gone', async () => {
    // More than the sockets between both hold.
    const { service, get } = await giver(Buffer.alloc(50_000_000));
    const first = await get('/digest');
    const second = await get('/digest');
    assert.deepEqual([second.status, second.headers.get('retry-after')], [503, '1']);
    await first.body?.cancel();
    let status = 503;
    while (status === 503) {
      const again = await get('/digest');
      status = again.status;
      await again.body?.cancel();
    }
    assert.equal(status, 200);
    await service.api.close();
  });
});
