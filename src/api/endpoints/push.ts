/** Price alerts for browsers: the public key of this service, and subscriptions. */
import type { Static } from 'typebox';
import { type PushHost, pushAddress } from '../../domain/alerts/push-host.ts';
import type { RoadFuel } from '../../domain/fuel.ts';
import { FUEL_CODE, ROAD_FUEL_CODES, type RoadFuelCode } from '../../domain/fuel-codes.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { Type } from '../../json/json-schema.ts';
import type { NewSubscription } from '../../store/alerts/subscriptions.ts';
import { OPEN_ACCESS } from '../access/access-rules.ts';
import { described } from '../contract/localized-schema.ts';
import { EXPECTED_VALUES, FIELD_MESSAGES, PUSH_MESSAGES } from '../contract/messages.ts';
import { nullable, statusOk, strictObject } from '../contract/schema-parts.ts';
import { ProblemSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { bytesField, ignoredField, rawText, requiredText } from '../declaration/body-fields.ts';
import { type Endpoint, endpoint, refuse } from '../declaration/endpoint.ts';
import { Body } from '../encoding/body.ts';
import { pageSubject } from '../rendering/page-subject.ts';
import type { RenderedSnapshot } from '../rendering/rendered-snapshot.ts';
import type { Caller } from '../request/caller.ts';
import { ok, SAME_ORIGIN_JSON_HEADERS } from '../response/answer.ts';
import { problem } from '../response/problem.ts';

export type PushDependencies = {
  /** base64url; `null` = push is not configured. */
  readonly publicKey: string | null;
  readonly hosts: readonly PushHost[];
  /** Stores a subscription; `unavailable` = the database does not answer. */
  readonly save: (subscription: NewSubscription, caller: Caller) => Promise<'saved' | 'unavailable'>;
};

const PushKeySchema = strictObject(
  {
    status: statusOk,
    publicKey: Type.String(
      described({
        ro: 'Cheia publică VAPID: 65 de octeți, base64url.',
        en: 'The VAPID public key: 65 bytes, base64url.',
      }),
    ),
  },
  'CheiePush',
);

const SubscribedSchema = strictObject(
  {
    status: statusOk,
    message: Type.String(
      described({
        ro: 'Confirmare în română; nu face parte din contract.',
        en: 'Confirmation in Romanian; not part of the contract.',
      }),
    ),
    oras: nullable.string({
      ro: 'Orașul abonării, ca în prețuri; null = toată țara.',
      en: 'The city of the subscription, as in prices; null = the whole country.',
    }),
    tip_carburant: Type.Unsafe<RoadFuelCode | null>({
      type: ['string', 'null'],
      enum: [...ROAD_FUEL_CODES, null],
      ...described({
        ro: 'Carburantul abonării; null = benzină și motorină standard.',
        en: 'The fuel of the subscription; null = petrol and diesel standard.',
      }),
    }),
  },
  'AbonarePush',
);

const UNAVAILABLE = {
  description: { ro: 'Abonările nu pot fi salvate acum.', en: 'Subscriptions cannot be stored right now.' },
  schema: ProblemSchema,
};

/** `/push/vapid-key` and `/push/subscribe`. */
export function pushEndpoints(push: PushDependencies, gazetteer: Pick<Gazetteer, 'localityBySlug'>): Endpoint[] {
  return [keyEndpoint(push), subscribeEndpoint(push, gazetteer)];
}

function keyEndpoint({ publicKey }: PushDependencies): Endpoint {
  return endpoint({
    operationId: 'getPushKey',
    path: '/api/v1/push/vapid-key',
    tag: API_TAGS.push,
    summary: { ro: 'Cheia publică pentru abonările la notificări', en: 'The public key for push subscriptions' },
    description: {
      ro: 'Pentru scriptul din browser al serviciului; nu este destinată integrărilor.',
      en: "For the service's own browser worker; not meant for integrations.",
    },
    undocumented: true,
    access: OPEN_ACCESS,
    parameters: {},
    answers: {
      200: { description: { ro: 'Cheia.', en: 'The key.' }, schema: PushKeySchema },
      500: {
        description: {
          ro: 'Cheia nu este configurată sau serviciul are o eroare.',
          en: 'The key is not configured, or an internal error.',
        },
        schema: ProblemSchema,
      },
    },
    handle() {
      if (publicKey === null) return refuse(problem(500, PUSH_MESSAGES.noKey));
      const answer: Static<typeof PushKeySchema> = { status: 'ok', publicKey };
      return ok(Body.singleUse(JSON.stringify(answer)));
    },
  });
}

function subscribeEndpoint(
  { hosts, save }: PushDependencies,
  { localityBySlug }: Pick<Gazetteer, 'localityBySlug'>,
): Endpoint {
  return endpoint({
    method: 'POST',
    operationId: 'subscribeToPush',
    path: '/api/v1/push/subscribe',
    tag: API_TAGS.push,
    summary: { ro: 'Abonarea unui browser la alertele de preț', en: 'Register a browser for price alerts' },
    description: {
      ro:
        'Nu este gândită pentru integrări; se poate schimba odată cu site-ul. Pagina hotărăște orașul și carburantul; o nouă abonare cu același `endpoint` o înlocuiește pe cea veche. ' +
        'De la o adresă se păstrează cel mult 20 de abonări, dintr-o rețea (/24, IPv6: /48) cel mult 500: cea mai veche cedează locul.',
      en:
        'Not meant for integrations; may change with the site. The page determines the city and the fuel; subscribing again with the same `endpoint` replaces the earlier subscription. ' +
        'At most 20 subscriptions are kept per address, and 500 per network (/24, IPv6: /48): a new one replaces the oldest.',
    },
    undocumented: true,
    access: OPEN_ACCESS,
    parameters: {},
    fields: FIELDS,
    answers: {
      200: {
        description: { ro: 'Browserul este abonat.', en: 'The browser is registered.' },
        schema: SubscribedSchema,
      },
      503: UNAVAILABLE,
    },
    handle({ body: { endpoint: address, p256dh, auth, pagina }, rendered, caller }) {
      const pushEndpoint = pushAddress(address, hosts);
      if (pushEndpoint === null) {
        return refuse(problem(400, FIELD_MESSAGES.wrong('endpoint', EXPECTED_VALUES.pushService)), { cors: false });
      }
      const { slug, fuel } = subjectOfPage(pagina, rendered);
      const city = slug === undefined ? undefined : localityBySlug(slug);
      // Normalized, so that one browser is one subscription however its endpoint URL is spelled.
      const subscription = {
        endpoint: pushEndpoint.url.href,
        p256dh,
        auth,
        city: city?.slug ?? null,
        fuel: fuel ?? null,
      };
      return async () => {
        if ((await save(subscription, caller)) === 'unavailable')
          return refuse({ ...problem(503, PUSH_MESSAGES.unavailable), kind: 'unavailable' }, { cors: false });
        const answer: Static<typeof SubscribedSchema> = {
          status: 'ok',
          message: PUSH_MESSAGES.subscribed,
          oras: city?.ascii ?? null,
          tip_carburant: fuel === undefined ? null : FUEL_CODE[fuel],
        };
        return ok(Body.singleUse(JSON.stringify(answer)), SAME_ORIGIN_JSON_HEADERS);
      };
    },
  });
}

const IGNORED = { ro: 'Ignorat din 2026-09-23.', en: 'Ignored since 2026-09-23.' };

const FIELDS = {
  endpoint: requiredText({
    description: {
      ro: 'Adresa de notificare: https, la un serviciu de notificări cunoscut.',
      en: 'The push endpoint: https, on a known push service.',
    },
    example: 'https://fcm.googleapis.com/fcm/send/abc',
  }),
  p256dh: bytesField(65, {
    description: {
      ro: 'Cheia publică a browserului: 65 de octeți, base64url.',
      en: "The browser's public key: 65 bytes, base64url.",
    },
    // From the example in RFC 8291, 5.
    example: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  }),
  auth: bytesField(16, {
    description: {
      ro: 'Secretul browserului: 16 octeți, base64url.',
      en: "The browser's secret: 16 bytes, base64url.",
    },
    example: 'BTBZMqHH6r4Tts7J_aSIgg',
  }),
  pagina: rawText({
    description: {
      ro: 'Calea paginii pe care s-a abonat vizitatorul; este numai interpretată.',
      en: 'Path of the page that the visitor subscribed on; it is parsed, never fetched.',
    },
    example: '/preturi-carburanti/cluj-napoca/motorina',
  }),
  tip_carburant: ignoredField(IGNORED),
  prag_pret: ignoredField(IGNORED),
  oras: ignoredField(IGNORED),
};

function subjectOfPage(
  page: string,
  rendered: RenderedSnapshot,
): { slug?: string | undefined; fuel?: RoadFuel | undefined } {
  const { city, fuel, station } = pageSubject(page);
  if (station === undefined) return { slug: city, fuel };
  return { slug: rendered.station(station)?.citySlug };
}
