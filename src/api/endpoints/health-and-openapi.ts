/** The service itself: health and the description of the API. */
import { MAX_DELIVERY_AGE_SECONDS } from '../../snapshot/freshness.ts';
import { OPEN_ACCESS } from '../access/access-rules.ts';
import { DocumentSchema, HealthSchema } from '../contract/schemas.ts';
import { API_TAGS } from '../contract/tags.ts';
import { type Endpoint, endpoint } from '../declaration/endpoint.ts';
import { Body } from '../encoding/body.ts';
import { health } from '../rendering/health-answer.ts';
import { jsonHeaders, ok, PUBLIC_JSON_HEADERS } from '../response/answer.ts';

const CACHED = 'public, max-age=300';
const MAX_DELIVERY_AGE_HOURS = MAX_DELIVERY_AGE_SECONDS / 3_600;

/** `/health`, with `clock` as the current time. */
export function healthEndpoint(clock: () => number): Endpoint {
  return endpoint({
    operationId: 'getHealth',
    path: '/api/v1/health',
    tag: API_TAGS.service,
    summary: { ro: 'Actualitatea datelor', en: 'Data freshness' },
    description: {
      ro: `200 când fiecare sursă de prețuri în serviciu a livrat în ultimele ${MAX_DELIVERY_AGE_HOURS} de ore și există prețuri; altfel 503, cu aceleași câmpuri. Fără cheie, fără cotă.`,
      en: `200 when every price source in service delivered within the last ${MAX_DELIVERY_AGE_HOURS} hours and prices are being served; otherwise 503 with the same fields. No key, no quota.`,
    },
    access: OPEN_ACCESS,
    parameters: {},
    answers: {
      200: { description: { ro: 'Date actuale.', en: 'Fresh.' }, schema: HealthSchema },
      503: {
        description: {
          ro: `Stare degradată: o sursă este mai veche de ${MAX_DELIVERY_AGE_HOURS} de ore, niciuna nu este în serviciu sau nu există niciun preț.`,
          en: `Degraded: a source is older than ${MAX_DELIVERY_AGE_HOURS} hours, none is in service, or no price is served.`,
        },
        schema: HealthSchema,
      },
    },
    handle({ rendered }) {
      const record = health(rendered.snapshot, clock());
      return {
        status: record.status === 'ok' ? 200 : 503,
        headers: PUBLIC_JSON_HEADERS,
        body: Body.singleUse(JSON.stringify(record)),
      };
    },
  });
}

/** `/openapi.json` and its alias. `document` returns the bytes, made on first use. */
export function openApiEndpoints(document: () => Body): Endpoint[] {
  const shared = {
    tag: API_TAGS.service,
    summary: { ro: 'Această descriere OpenAPI', en: 'This OpenAPI description' },
    access: OPEN_ACCESS,
    parameters: {},
  };
  const described = {
    description: { ro: 'Descrierea, OpenAPI 3.1.', en: 'The description, OpenAPI 3.1.' },
    schema: DocumentSchema,
  };
  return [
    endpoint({
      ...shared,
      operationId: 'getOpenApi',
      path: '/openapi.json',
      description: {
        ro: 'Toate adresele, câmpurile și erorile, pentru programe. Poate fi păstrată în cache 5 minute; aceeași descriere, mereu actuală, la [`/api/v1/openapi.json`](/api/v1/openapi.json).',
        en: 'All paths, fields and errors, for programs. May be cached for 5 minutes; the same, never cached, at [`/api/v1/openapi.json`](/api/v1/openapi.json).',
      },
      answers: { 200: { ...described, cacheControl: CACHED } },
      cacheable: true,
      handle: () => ok(document(), jsonHeaders(CACHED)),
    }),
    endpoint({
      ...shared,
      operationId: 'getOpenApiAlias',
      path: '/api/v1/openapi.json',
      description: {
        ro: 'Aceeași descriere, sub prefixul API-ului; nu se păstrează în cache.',
        en: 'The same under the API prefix; never cached.',
      },
      undocumented: true,
      answers: { 200: described },
      handle: () => ok(document()),
    }),
  ];
}
