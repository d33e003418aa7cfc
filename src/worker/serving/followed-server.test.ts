import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { PublicationClient } from '../../clients/publication-client.ts';
import { NO_PUBLISHED_FACTS } from '../../domain/prices/facts.ts';
import { PriceHistory } from '../../snapshot/price-history.ts';
import { StatisticsHistory } from '../../snapshot/statistics-history.ts';
import { FollowedServer } from './followed-server.ts';
import { PublicationRelay } from './publication-relay.ts';
import type { LoadedState } from './read-changes.ts';

const NOW = Date.parse('2026-11-27T12:00:00Z');
const SETTINGS = '0123456789abcdef';
const NOTHING: LoadedState = {
  facts: NO_PUBLISHED_FACTS,
  history: new PriceHistory(),
  statistics: new StatisticsHistory(),
  hasAllStatistics: false,
};
const FIRST: LoadedState = { ...NOTHING, facts: { ...NO_PUBLISHED_FACTS, version: 1, publishedAt: NOW } };

test('a server that had nothing is no longer unavailable once it announces prices, before they are served', async (t) => {
  const followed = new PublicationRelay(SETTINGS);
  const nothing = Buffer.from(followed.sent.text);
  await followed.relay(FIRST, true);
  const announcements = [nothing, Buffer.from(followed.sent.text)];
  const client: PublicationClient = {
    async announcement(_known, _waitMs, signal) {
      const next = announcements.shift();
      if (next === undefined) await once(signal, 'abort');
      return next ?? null;
    },
    part: async (digest) => followed.part(digest) as Buffer,
    close: async () => undefined,
  };
  const taken = Promise.withResolvers<string>();
  const server: FollowedServer = new FollowedServer({
    ...{ client, settings: SETTINGS, relay: new PublicationRelay(SETTINGS), held: () => NOTHING, clock: () => NOW },
    take: async () => taken.resolve(server.state),
    log: { info: () => undefined, warn: assert.fail },
  });
  t.after(() => server.close());
  assert.equal(await taken.promise, 'ready');
});
