import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ClaimTable, refusedForAnHour } from '../../store/limits/acceptance-claims.ts';
import { ClaimsClient } from './claims-client.ts';
import type { ToSupervisor } from './supervisor-messages.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const TIMEOUT_MS = 1_000;

/** A client, and its supervisor, who reads its messages in order when told to. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const table = new ClaimTable();
  const sent: ToSupervisor[] = [];
  const client = new ClaimsClient((message) => sent.push(message));
  const readAll = () => {
    for (const message of sent.splice(0)) {
      if (message.kind === 'claim')
        client.receive({ kind: 'claimed', id: message.id, before: table.claim(message.name, message.at) });
      else if (message.kind === 'release') table.release(message.name, message.at);
    }
  };
  return { table, client, sent, readAll };
}

test('a claim is granted once, whichever process requests it', async (t) => {
  const { table, client, readAll } = setUp(t);
  const claims = [client.claim('free', NOW), client.claim('taken', NOW)];
  table.claim('taken', NOW - 60_000);
  readAll();
  assert.deepEqual(await Promise.all(claims), [null, NOW - 60_000]);
});

test('a claim that is not answered in time is refused, and released: the next request is granted', async (t) => {
  const { client, sent, readAll } = setUp(t);
  const claim = client.claim('visitor', NOW);
  t.mock.timers.tick(TIMEOUT_MS);
  assert.equal(await claim, refusedForAnHour(NOW));
  assert.deepEqual(
    sent.map(({ kind }) => kind),
    ['claim', 'release'],
  );
  // Only now the supervisor reads both: it grants the claim to nobody.
  readAll();
  const next = client.claim('visitor', NOW + 5_000);
  readAll();
  assert.equal(await next, null);
});

test('a claim that is released is granted again', async (t) => {
  const { client, readAll } = setUp(t);
  const first = client.claim('visitor', NOW);
  readAll();
  assert.equal(await first, null);
  client.release('visitor', NOW);
  const next = client.claim('visitor', NOW + 1);
  readAll();
  assert.equal(await next, null);
});
