/** The requests whose answers the description of the API shows as examples of webhooks. */

import type { WebhookDependencies } from '../../../src/api/webhooks/webhook-dependencies.ts';
import { MOCK_KEY } from '../../../src/app/mock/mock-access.ts';
import { MOCK_WEBHOOKS } from '../../../src/app/mock/mock-webhooks.ts';
import type { Reply, TestService } from './test-service.ts';

const PATH = '/api/v1/cheie/webhookuri';
const NEW = { url: 'https://exemplu.ro/pompa', filtru: { tip: 'motorina_standard', judet: 'CJ' } };

/** Webhooks of a key that has as many as it may, with as many secrets. */
export const FULL_WEBHOOKS: WebhookDependencies = {
  ...MOCK_WEBHOOKS,
  service: {
    ...MOCK_WEBHOOKS.service,
    create: () => Promise.resolve('too many'),
    renewSecret: () => Promise.resolve('too many'),
  },
};

type Sent = readonly [operation: string, method: string, target: string, body?: object | undefined];

const OPERATIONS: readonly Sent[] = [
  ['getWebhooks', 'GET', ''],
  ['createWebhook', 'POST', '', NEW],
  ['getWebhook', 'GET', '/1'],
  ['changeWebhook', 'PATCH', '/1', { pauza: true }],
  ['deleteWebhook', 'DELETE', '/1'],
  ['testWebhook', 'POST', '/1/test'],
  ['getWebhookDeliveries', 'GET', '/1/livrari'],
  ['replayWebhook', 'POST', '/1/reia', { dupa: 'acum' }],
  ['renewWebhookSecret', 'POST', '/1/secret'],
];

/** Asks for each status that an operation documents itself: success, an unknown webhook, and its own refusals. */
export async function askForExamples(
  { usual, full }: { readonly usual: TestService; readonly full: TestService },
  note: (operation: string, reply: Reply) => void,
): Promise<void> {
  const ask = (service: TestService, [, method, target, body]: Sent) =>
    service.ask(PATH + target, {
      method,
      headers: { 'X-Api-Key': MOCK_KEY, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  for (const sent of OPERATIONS) {
    const [operation, method, target, body] = sent;
    note(operation, await ask(usual, sent));
    if (target !== '') note(operation, await ask(usual, [operation, method, target.replace('1', '7'), body]));
  }
  note('createWebhook', await ask(full, ['createWebhook', 'POST', '', NEW]));
  note('renewWebhookSecret', await ask(full, ['renewWebhookSecret', 'POST', '/1/secret']));
  note('replayWebhook', await ask(usual, ['replayWebhook', 'POST', '/1/reia', { dupa: 'epoch_00.1' }]));
}
