import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../support/database/test-database.ts';
import { addReport, printProgress, roundsOf, seedOf } from '../support/run-settings.ts';
import { WebhookReceiver } from '../support/webhooks/webhook-receiver.ts';
import { webhookRounds } from './rounds/webhook-rounds.ts';

test('however often those who post to webhooks are killed, none misses a change, and what comes again has the same id', async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const receiver = await WebhookReceiver.during(t);
  const wanted = roundsOf({ short: 6, medium: 20, long: 200 });
  const report = await webhookRounds(database, receiver, { kills: wanted, seed: seedOf(11), onKill: printProgress });
  addReport(t, [`${report.kills} kills, ${report.messages} messages, ${report.repeated} of them again`]);
  assert.deepEqual(report.violations, []);
  assert.equal(report.kills, wanted);
  assert.ok(report.repeated > 0, 'some messages were sent again');
});
