/** The `webhooks` of the OpenAPI document: what the service sends to the addresses of a key's holder. */
import type { TSchema } from 'typebox';
import { API_TAGS } from '../contract/tags.ts';
import { ChangesEventSchema, PingEventSchema, RestartEventSchema } from '../contract/webhook-event-schemas.ts';
import { CHANGES_EVENT, PING_EVENT, RESTART_EVENT } from './event-examples.ts';

type JsonObject = { [key: string]: unknown };

const header = (name: string, description: string, schema: object, example: string) => ({
  ...{ name, in: 'header', required: true, description, schema, example },
});

/** The headers of Standard Webhooks 1.0. */
const HEADERS = [
  header(
    'webhook-id',
    'The same at every try of a delivery, and of a replay of the same changes: skip those that you have done.',
    { type: 'string' },
    '1-0-Zf3kQ0xA-8-9',
  ),
  header(
    'webhook-timestamp',
    'When this try was signed, Unix time in seconds: refuse what is more than five minutes off.',
    { type: 'string', pattern: '^\\d+$' },
    '1795161600',
  ),
  header(
    'webhook-signature',
    'One or two signatures, separated by a space: `v1,` and the base64 of HMAC-SHA256, with the decoded secret, over `{webhook-id}.{webhook-timestamp}.{body}`.',
    { type: 'string' },
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'It has arrived. Answer within 15 seconds, and do the work afterwards.' },
  '4XX': {
    description: 'It is tried again, as after any other answer, for up to 75 hours. Redirects are not followed.',
  },
  410: { description: 'No more of it: the webhook is stopped.' },
};

const EVENTS = [
  {
    ...{ name: 'modificari', operationId: 'onChanges', schema: ChangesEventSchema, example: CHANGES_EVENT },
    summary: 'Changes of what is served',
    description:
      'After each publication that changed something which passes the filter, in order: the next delivery is sent once this one has arrived, and tells all that was told meanwhile. At least once.',
  },
  {
    ...{ name: 'ping', operationId: 'onPing', schema: PingEventSchema, example: PING_EVENT },
    summary: 'A test',
    description:
      'Sent when the holder of the key asks for it. Only an address that answers it with 2xx is sent anything else.',
  },
  {
    ...{ name: 'reluare', operationId: 'onRestart', schema: RestartEventSchema, example: RESTART_EVENT },
    summary: 'Read everything again',
    description:
      'Earlier cursors lead nowhere any more, because the database was restored or the past was replayed, or the feed no longer reaches back to what was sent last: read `/statii` again. Later changes follow `pana_la`.',
  },
] as const;

/** By the `type` of the body. `hoist` makes a schema a reference to its component. */
export function describeWebhooks(hoist: (schema: TSchema) => unknown): JsonObject {
  const described = EVENTS.map(({ name, operationId, summary, description, schema, example }) => {
    const content = { 'application/json': { schema: hoist(schema), example } };
    const post = {
      ...{ operationId, tags: [API_TAGS.webhooks], summary, description, security: [], parameters: HEADERS },
      requestBody: { required: true, content },
      responses: RESPONSES,
    };
    return [name, { post }];
  });
  return Object.fromEntries(described);
}
