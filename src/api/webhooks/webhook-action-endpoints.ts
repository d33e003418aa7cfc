/** What is done with a webhook over the API: a test, its deliveries, a replay, a new secret. */
import { FEED_DAYS } from '../../domain/changes/feed-reach.ts';
import { MAX_OLD_SECRETS, WEBHOOK_LIMITS } from '../../domain/webhooks/webhook.ts';
import type { KnownKey } from '../../store/keys/key-queries.ts';
import { CursorGoneSchema } from '../contract/change-schemas.ts';
import { WEBHOOK_MESSAGES } from '../contract/messages.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { DeliveriesSchema, TestSchema, WebhookAnswerSchema, WebhookMadeSchema } from '../contract/webhook-schemas.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { problem } from '../response/problem.ts';
import {
  ID_PARAMETER,
  json,
  limited,
  UNKNOWN,
  unknownWebhook,
  WEBHOOK_ACCESS,
  whileAvailable,
} from './webhook-answers.ts';
import type { WebhookEndpointDependencies } from './webhook-dependencies.ts';
import { cursorField } from './webhook-fields.ts';
import { deliveryJson, webhookJson } from './webhook-words.ts';

const COMMON = { access: WEBHOOK_ACCESS, tag: API_TAGS.webhooks } as const;

/** The endpoints below one webhook. */
export function webhookActionEndpoints(path: string, dependencies: WebhookEndpointDependencies): Endpoint[] {
  const own = `${path}/{id}`;
  return [
    testEndpoint(own, dependencies),
    deliveriesEndpoint(own, dependencies),
    replayEndpoint(own, dependencies),
    secretEndpoint(own, dependencies),
  ];
}

function testEndpoint(own: string, { service, limits }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'testWebhook',
    method: 'POST',
    path: `${own}/test`,
    summary: { ro: 'Trimite un test semnat', en: 'Sends a signed test' },
    description: {
      ro: `Trimite evenimentul \`ping\` și așteaptă răspunsul adresei, cel mult 15 secunde; răspunsul nostru este 200 și când testul nu reușește. Un test reușit verifică adresa și repornește un webhook oprit de noi. Cel mult ${WEBHOOK_LIMITS.ping} pe oră pentru o cheie.`,
      en: `Sends the event \`ping\` and waits for the address to answer, at most 15 seconds; our answer is 200 also when the test fails. A test that succeeds verifies the address, and restarts a webhook that we stopped. At most ${WEBHOOK_LIMITS.ping} an hour for a key.`,
    },
    parameters: { id: ID_PARAMETER },
    answers: {
      200: { description: { ro: 'Ce a ieșit.', en: 'What came of it.' }, schema: TestSchema },
      ...UNKNOWN,
    },
    longestWaitMs: 20_000,
    handle:
      ({ key, id }) =>
      () =>
        limited(limits, idOf(key), 'ping', async () => {
          const result = await service.ping(idOf(key), id);
          if (result === null) return unknownWebhook();
          const { webhook, delivery } = result;
          return json({
            status: 'ok',
            reusit: delivery.state === 'delivered',
            livrare: deliveryJson(delivery),
            webhook: webhookJson(webhook),
          });
        }),
  });
}

function deliveriesEndpoint(own: string, { service }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'getWebhookDeliveries',
    path: `${own}/livrari`,
    summary: { ro: 'Ultimele livrări', en: 'The last deliveries' },
    description: {
      ro: 'Ce s-a trimis sau urmează să fie trimis, de câte ori, ce a răspuns adresa și de ce a eșuat.',
      en: 'What was or is to be sent, how often, what the address answered, and why it failed.',
    },
    parameters: { id: ID_PARAMETER },
    answers: {
      200: { description: { ro: 'Livrările.', en: 'The deliveries.' }, schema: DeliveriesSchema },
      ...UNKNOWN,
    },
    handle:
      ({ key, id }) =>
      () =>
        whileAvailable(async () => {
          const deliveries = await service.deliveries(idOf(key), id);
          return deliveries === null ? unknownWebhook() : json({ status: 'ok', livrari: deliveries.map(deliveryJson) });
        }),
  });
}

function replayEndpoint(own: string, { service, limits, feed }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'replayWebhook',
    method: 'POST',
    path: `${own}/reia`,
    summary: { ro: 'Reia livrarea de la un cursor', en: 'Delivers again from a cursor on' },
    description: {
      ro: `Tot ce urmează după cursor se trimite, a câta oară o fi; ce aștepta nu se mai trimite separat. Cel mult ${WEBHOOK_LIMITS.replay} pe oră pentru o cheie.`,
      en: `Everything after the cursor is sent, again or for the first time; what was waiting is not sent besides. At most ${WEBHOOK_LIMITS.replay} an hour for a key.`,
    },
    parameters: { id: ID_PARAMETER },
    fields: { dupa: cursorField },
    onlyKnownFields: true,
    answers: {
      200: {
        description: { ro: 'Webhookul, cu noul cursor.', en: 'The webhook, with the new cursor.' },
        schema: WebhookAnswerSchema,
      },
      ...UNKNOWN,
      410: {
        description: {
          ro: `Cursorul este mai vechi de ${FEED_DAYS} de zile, sau istoricul a fost refăcut de atunci.`,
          en: `The cursor is older than ${FEED_DAYS} days, or the past was rewritten since.`,
        },
        schema: CursorGoneSchema,
      },
    },
    handle({ key, id, body: { dupa } }) {
      const place = feed.placeOf(dupa);
      if ('problem' in place) return refuse(place.problem, { cors: false });
      return () =>
        limited(limits, idOf(key), 'replay', async () => {
          const webhook = await service.replay(idOf(key), id, place);
          return webhook === null ? unknownWebhook() : json({ status: 'ok', webhook: webhookJson(webhook) });
        });
    },
  });
}

function secretEndpoint(own: string, { service, limits }: WebhookEndpointDependencies): Endpoint {
  return endpoint({
    ...COMMON,
    operationId: 'renewWebhookSecret',
    method: 'POST',
    path: `${own}/secret`,
    summary: { ro: 'Un secret nou', en: 'A new secret' },
    description: {
      ro: `Secretul nou se arată numai în acest răspuns. Cel dinainte semnează și el încă 24 de ore, oricâte secrete noi urmează: fiecare livrare are câte o semnătură cu fiecare secret. Cel mult ${MAX_OLD_SECRETS} secrete dinainte semnează în același timp.`,
      en: `The new secret is shown only in this answer. The one before signs, too, for 24 hours, however many new ones follow: each delivery has a signature with each secret. At most ${MAX_OLD_SECRETS} earlier secrets sign at a time.`,
    },
    parameters: { id: ID_PARAMETER },
    answers: {
      200: {
        description: { ro: 'Webhookul și secretul nou.', en: 'The webhook and the new secret.' },
        schema: WebhookMadeSchema,
      },
      ...UNKNOWN,
      409: {
        description: {
          ro: `${MAX_OLD_SECRETS} secrete dinainte semnează încă; așteptați până iese din uz primul.`,
          en: `${MAX_OLD_SECRETS} earlier secrets still sign; wait until the first no longer does.`,
        },
        schema: ProblemSchema,
      },
    },
    handle:
      ({ key, id }) =>
      () =>
        limited(limits, idOf(key), 'change', async () => {
          const renewed = await service.renewSecret(idOf(key), id);
          if (renewed === null) return unknownWebhook();
          if (renewed === 'too many')
            return refuse(problem(409, WEBHOOK_MESSAGES.tooManySecrets(MAX_OLD_SECRETS)), { cors: false });
          return json({ status: 'ok', webhook: webhookJson(renewed.webhook), secret: renewed.secret });
        }),
  });
}

const idOf = (key: KnownKey | null) => (key as KnownKey).id;
