import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { AccessControl } from '../../src/api/access/access-rules.ts';
import { MAX_STREAMS } from '../../src/api/changes/change-feed.ts';
import { randomFraction } from '../../src/simulation/country/seeded-random.ts';
import { EventClient } from '../support/changes/event-client.ts';
import { EPOCH, ToldFeed } from '../support/changes/told-changes.ts';
import { addReport, seedOf } from '../support/run-settings.ts';
import { allowAll, SOME_KEY } from '../support/service/open-access.ts';
import { TestService } from '../support/service/test-service.ts';

const CLIENTS = 500;
const TELLINGS = 10;
const CHANGES = 270;
const LAST = `${EPOCH}.${(TELLINGS * CHANGES).toString(36)}`;
const PATH = '/api/v1/modificari/flux';

/** The key that the header names. */
const byHeader: AccessControl = (request) =>
  allowAll({ ...SOME_KEY, id: Number(request.caller.headers['x-api-key']) })(request);

test('500 clients whose connections are cut three times get every change once, in order', async (t) => {
  const seed = seedOf(5);
  const feed = new ToldFeed();
  const service = await TestService.during(t, { accessControl: byHeader, changes: feed.log });
  let reconnections = 0;
  const follow = async (index: number): Promise<string[]> => {
    const key = String(Math.floor(index / MAX_STREAMS.perKey));
    const ids: string[] = [];
    let last = `${EPOCH}.0`;
    let cuts = 0;
    for (;;) {
      const headers = { 'X-Api-Key': key, 'Last-Event-ID': last };
      const client = await EventClient.connect(service.port, PATH, headers);
      if (client.status !== 200) {
        // The connection that was cut is not closed yet on the other side.
        assert.equal(client.status, 429);
        client.close();
        continue;
      }
      const cutAt = cuts < 3 ? TELLINGS * CHANGES * randomFraction(seed, index, cuts) : Number.POSITIVE_INFINITY;
      await client.until(({ events }) => events.at(-1)?.id === LAST || ids.length + events.length >= cutAt);
      ids.push(...client.events.map(({ id }) => id));
      client.close();
      last = ids.at(-1) ?? last;
      if (last === LAST) return ids;
      cuts += 1;
      reconnections += 1;
    }
  };
  const followers = Promise.all(Array.from({ length: CLIENTS }, (_, index) => follow(index)));
  for (let telling = 0; telling < TELLINGS; telling += 1) {
    feed.tellSome(CHANGES);
    await setImmediate();
  }
  const received = await followers;
  const wanted = Array.from({ length: TELLINGS * CHANGES }, (_, index) => `${EPOCH}.${(index + 1).toString(36)}`);
  for (const ids of received) assert.deepEqual(ids, wanted);
  addReport(t, [`${CLIENTS} clients, ${reconnections} connections cut`]);
});
