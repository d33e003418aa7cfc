/** The sections of the documentation that are not about a single endpoint. */

import { PLANS } from '../../domain/access/plans.ts';
import { ANONYMOUS_LIMITS, GERMANY_RATE_LIMIT, KEY_RATE_LIMITS } from '../../domain/access/request-limits.ts';
import { DEFAULT_RANGES, type PriceRange } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { ROUTES } from '../../domain/pages/routes.ts';
import { DATA_CREDIT, GERMAN_SOURCE, LICENCE, SERVICE_NAME } from '../../domain/service-identity.ts';
import { formatCount, formatRon } from '../html/formats.ts';
import { bulletList, type DocsSection } from './docs-section.ts';
import { errorSection } from './errors.ts';
import { OTHER_INTERFACES } from './other-interfaces.ts';

const formatRange = ({ min, max }: PriceRange, language: Language) =>
  `${formatRon(min, language)}–${formatRon(max, language)}`;

export const GENERAL: DocsSection = {
  id: 'comune',
  title: { ro: 'Reguli și câmpuri comune', en: 'Common rules and fields' },
  content: bulletList(() => [
    {
      ro: 'Răspunsurile sunt JSON (UTF-8); zecimalele se scriu cu punct. Numele câmpurilor sunt în română și fac parte din contract.',
      en: 'Answers are JSON (UTF-8); decimals are written with a dot. Field names are Romanian and part of the contract.',
    },
    { ro: '`status`: `ok` sau `error`.', en: '`status`: `ok` or `error`.' },
    {
      ro: '`data`: ziua de azi a serverului, `AAAA-LL-ZZ`, nu data prețurilor; `actualizat_la`: ultima actualizare reușită a prețurilor, ISO 8601 cu decalaj orar, sau `null`. Ambele pe `/preturi`, `/preturi/minime`, `/judete/{judet}`, `/retele` și `/statii`.',
      en: '`data`: the server’s calendar day, `YYYY-MM-DD`, not the date of the prices; `actualizat_la`: the last successful price update, ISO 8601 with offset, or `null`. Both on `/preturi`, `/preturi/minime`, `/judete/{judet}`, `/retele` and `/statii`.',
    },
    {
      ro: 'Parametrii necunoscuți sunt ignorați; unul cunoscut trimis de două ori dă 400. O bară `/` la sfârșit este altă adresă: 404.',
      en: 'Unknown parameters are ignored; a known one sent twice gives 400. A trailing slash is another path: 404.',
    },
    {
      ro: 'Metode: GET, HEAD (ca GET, fără corp) și OPTIONS; la `/review` și `/traseu/custom`, POST și OPTIONS. Compresie la cerere: br, zstd, gzip.',
      en: 'Methods: GET, HEAD (like GET, without the body) and OPTIONS; on `/review` and `/traseu/custom`, POST and OPTIONS. Compression if requested: br, zstd, gzip.',
    },
    {
      ro: 'Răspunsurile sub `/api/v1` nu se păstrează în cache: `Cache-Control: no-store`.',
      en: 'Answers under `/api/v1` are not cacheable: `Cache-Control: no-store`.',
    },
  ]),
};

const MISSING: DocsSection = {
  id: 'preturi-lipsa',
  title: { ro: 'Prețuri lipsă', en: 'Missing prices' },
  content: bulletList(() => [
    {
      ro: 'Un preț pe care serviciul nu îl are este `null`, niciodată `0`. Excludeți valorile lipsă când calculați medii; media fără nicio valoare este `null`.',
      en: 'A price the service does not have is `null`, never `0`. Exclude missing values when you compute averages; an average of no values is `null`.',
    },
    {
      ro: `Intervale valabile, lei pe litru: benzină ${formatRange(DEFAULT_RANGES.petrol, 'ro')}, motorină ${formatRange(DEFAULT_RANGES.diesel, 'ro')}, GPL ${formatRange(DEFAULT_RANGES.lpg, 'ro')}.`,
      en: `Valid ranges, RON per litre: petrol ${formatRange(DEFAULT_RANGES.petrol, 'en')}, diesel ${formatRange(DEFAULT_RANGES.diesel, 'en')}, LPG ${formatRange(DEFAULT_RANGES.lpg, 'en')}.`,
    },
    {
      ro: 'Pe `/preturi`, `/preturi/minime`, `/judete/{judet}` și `/retele`, parametrul `zeros` cu exact una dintre valorile `1`, `true`, `yes`, `da` dă `0`, ca în trecut, în loc de `null`; la orice altă valoare rămâne `null`. Câmpul `preturi_lipsa` arată convenția răspunsului: `null` sau `zero`.',
      en: 'On `/preturi`, `/preturi/minime`, `/judete/{judet}` and `/retele` the parameter `zeros` with exactly one of `1`, `true`, `yes`, `da` gives the legacy `0` instead of `null`; any other value keeps `null`. The field `preturi_lipsa` declares the convention of the answer: `null` or `zero`.',
    },
  ]),
};

const QUALITY: DocsSection = {
  id: 'calitate',
  title: { ro: 'Indicatori de calitate', en: 'Quality flags' },
  content: bulletList(() => [
    {
      ro: 'Înregistrările din [`/statii`](#statii) au indicatori de calitate, explicați la câmpurile lor: `pret_expirat`, `nesigur`, `motiv_nesigur`, `nesigur_din`, `pret_incoerent`, `coord_suspecta`, `approximate_coords`. Apar numai când este cazul.',
      en: 'The records of [`/statii`](#statii) have quality flags, explained among their fields: `pret_expirat`, `nesigur`, `motiv_nesigur`, `nesigur_din`, `pret_incoerent`, `coord_suspecta`, `approximate_coords`. They are present only when they apply.',
    },
    {
      ro: 'O înregistrare care are `pret` și nu are `nesigur` are un preț de încredere. Cele cu `nesigur` nu intră în minime, medii și clasamente: excludeți-le și din calculele dumneavoastră.',
      en: 'A record with a `pret` and without `nesigur` has a trusted price. Those with `nesigur` are left out of every minimum, average and ranking: exclude them from your own, too.',
    },
  ]),
};

const ERRORS: DocsSection = {
  id: 'erori',
  title: { ro: 'Erori', en: 'Errors' },
  content: (language, { refusals }) => errorSection(refusals, language),
};

const quotaList = (language: Language) =>
  PLANS.flatMap(({ name, monthlyQuota }) =>
    monthlyQuota === null ? [] : [`${name} ${formatCount(monthlyQuota, language)}`],
  ).join(', ');

const LIMITS: DocsSection = {
  id: 'limite',
  title: { ro: 'Chei, planuri și limite', en: 'Keys, plans and limits' },
  content: bulletList(() => [
    {
      ro: `Fără cheie, \`/judete/{judet}\`, \`/retele\`, \`/statii\`, \`/statie/{station_id}/istoric\`, \`/geocode\` și \`/traseu/custom\` au o limită de o cerere la ${ANONYMOUS_LIMITS.capDays} zile pentru fiecare adresă IP și fiecare adresă a API-ului; numai un răspuns 200 se numără. \`/preturi\`, \`/preturi/minime\`, \`/reviews/{slug}\`, \`/health\` și \`/openapi.json\` nu au limită; \`/de-statii\` are ${GERMANY_RATE_LIMIT.perMinute} de cereri pe minut, cu cheie sau fără.`,
      en: `Without a key \`/judete/{judet}\`, \`/retele\`, \`/statii\`, \`/statie/{station_id}/istoric\`, \`/geocode\` and \`/traseu/custom\` have a cap of one request per ${ANONYMOUS_LIMITS.capDays} days for each IP address and endpoint; only a 200 answer counts. \`/preturi\`, \`/preturi/minime\`, \`/reviews/{slug}\`, \`/health\` and \`/openapi.json\` have no cap; \`/de-statii\` has ${GERMANY_RATE_LIMIT.perMinute} requests per minute, with or without a key.`,
    },
    {
      ro: `Fără cheie, \`/preturi\` are primele ${ANONYMOUS_LIMITS.cities} de orașe, iar \`/statii\` cel mult ${ANONYMOUS_LIMITS.records} de înregistrări.`,
      en: `Without a key \`/preturi\` has the ${ANONYMOUS_LIMITS.cities} largest cities and \`/statii\` at most ${ANONYMOUS_LIMITS.records} records.`,
    },
    {
      ro: 'O cheie se trimite la fiecare cerere în antetul `X-Api-Key`, nu în adresă. Păstrați-o pe server. O cheie greșită sau goală dă 401, nu varianta fără cheie.',
      en: 'A key is sent on every request in the header `X-Api-Key`, not in the URL. Keep it server-side. A wrong or empty key gives 401, not the version without a key.',
    },
    {
      ro: `Cu o cheie: toate datele și o cotă lunară, în UTC (${quotaList('ro')}; Dedicat prin contract), cel mult ${KEY_RATE_LIMITS.perSecond} cereri pe secundă și ${KEY_RATE_LIMITS.perMinute} pe minut. Vedeți [planurile](${ROUTES.plans.ro}).`,
      en: `With a key: all data and a quota per calendar month in UTC (${quotaList('en')}; Dedicat by contract), at most ${KEY_RATE_LIMITS.perSecond} requests per second and ${KEY_RATE_LIMITS.perMinute} per minute. See the [plans](${ROUTES.plans.en}).`,
    },
    {
      ro: 'Antete cu o cheie validă: `X-RateLimit-Limit` (cota lunară), `X-RateLimit-Remaining` (cereri rămase), `X-RateLimit-Reset` (începutul lunii următoare, secunde Unix).',
      en: 'Headers with a valid key: `X-RateLimit-Limit` (monthly quota), `X-RateLimit-Remaining` (requests left), `X-RateLimit-Reset` (start of the next month, Unix seconds).',
    },
  ]),
};

const WEBHOOKS: DocsSection = {
  id: 'primire-webhookuri',
  title: { ro: 'Cum primiți webhookuri', en: 'Receiving webhooks' },
  content: bulletList(() => [
    {
      ro: 'Faceți unul cu [`POST /cheie/webhookuri`](#webhookuri-post) sau în cont, puneți secretul pe server, apoi trimiteți un [test](#test): până la un răspuns 2xx nu trimitem altceva.',
      en: 'Make one with [`POST /cheie/webhookuri`](#webhookuri-post) or on the page of your account, put the secret on your server, then send a [test](#test): until one is answered with 2xx we send nothing else.',
    },
    {
      ro: 'Verificați semnătura după [Standard Webhooks](https://www.standardwebhooks.com/): una dintre cele din `webhook-signature` este `v1,` și HMAC-SHA256 în base64, cu secretul decodat de după `whsec_`, peste `{webhook-id}.{webhook-timestamp}.{corp}`, cu octeții corpului așa cum au venit. Refuzați ce diferă cu peste cinci minute de ora dumneavoastră.',
      en: 'Verify the signature after [Standard Webhooks](https://www.standardwebhooks.com/): one of those in `webhook-signature` is `v1,` and HMAC-SHA256 in base64, with the decoded secret after `whsec_`, over `{webhook-id}.{webhook-timestamp}.{body}`, with the bytes of the body as they came. Refuse what is more than five minutes off your clock.',
    },
    {
      ro: 'Răspundeți 2xx în 15 secunde; altfel încercăm din nou, timp de 75 de ore, cu același `webhook-id`: săriți peste cele pe care le aveți. 410 oprește webhookul. Livrările vin în ordine.',
      en: 'Answer 2xx within 15 seconds; otherwise we try again, for 75 hours, with the same `webhook-id`: skip those that you have. 410 stops the webhook. Deliveries come in order.',
    },
    {
      ro: 'Corpul are `type` (`modificari`, `ping` sau `reluare`), `timestamp` și `data`; descrierea [OpenAPI](/openapi.json) îl are la `webhooks`. Peste 50 de modificări, sau după o pauză lungă, ele lipsesc din corp: citiți [`/modificari`](#modificari) de la `dupa` la `pana_la`.',
      en: 'The body has `type` (`modificari`, `ping` or `reluare`), `timestamp` and `data`; the [OpenAPI](/openapi.json) description has it under `webhooks`. More than 50 changes, or those after a long gap, are left out of it: read [`/modificari`](#modificari) from `dupa` to `pana_la`.',
    },
  ]),
};

const TESTING: DocsSection = {
  id: 'teste',
  title: { ro: 'Testarea programului dumneavoastră', en: 'Testing your program' },
  content: bulletList(() => [
    {
      ro: 'Descrierea [`/openapi.json`](/openapi.json) are un exemplu pentru fiecare răspuns, inclusiv pentru fiecare fel de 429: un server de test ca Prism pornește direct din ea.',
      en: 'The description [`/openapi.json`](/openapi.json) has an example of every answer, each kind of 429 included: a mock server such as Prism starts from it as it is.',
    },
    {
      ro: 'Cine are programul Pompa pornește `bin/pompa mock`: tot API-ul, cu date de probă care nu se schimbă, fără limite și fără bază de date. Antetul `Prefer: code=429, example=weekly` alege un refuz.',
      en: 'Those who have the program Pompa run `bin/pompa mock`: the whole API on sample data that never change, without limits or a database. The header `Prefer: code=429, example=weekly` chooses a refusal.',
    },
  ]),
};

const CORS: DocsSection = {
  id: 'cors',
  title: { ro: 'CORS', en: 'CORS' },
  content: bulletList(() => [
    {
      ro: 'Adresele GET de mai sus, în afară de `/cheie`, pot fi citite din orice pagină web: `Access-Control-Allow-Origin: *`, inclusiv în cazul erorilor. Antetele `Link`, `Pompa-Total`, `Retry-After` și `X-RateLimit-*` sunt expuse.',
      en: 'The GET endpoints above, except `/cheie`, can be read from any web page: `Access-Control-Allow-Origin: *`, errors included. The headers `Link`, `Pompa-Total`, `Retry-After` and `X-RateLimit-*` are exposed.',
    },
    {
      ro: '`X-Api-Key` nu este printre antetele permise: o cheie nu are ce căuta în browser.',
      en: '`X-Api-Key` is not among the allowed headers: a key does not belong in a browser.',
    },
  ]),
};

const LICENSING: DocsSection = {
  id: 'licenta',
  title: { ro: 'Licență și originea datelor', en: 'Licence and origin of the data' },
  content: bulletList(() => [
    {
      ro: `Datele au licența [${LICENCE.name}](${LICENCE.url}), cu cheie sau fără: le puteți folosi și republica, menționând sursa „${SERVICE_NAME}”. Fiecare răspuns sub \`/api/v1\` o spune în antetul \`Link\` cu \`rel="license"\`.`,
      en: `The data are licensed [${LICENCE.name}](${LICENCE.url}), with or without a key: use and republish them with attribution to “${SERVICE_NAME}”. Every answer under \`/api/v1\` says so in a \`Link\` header with \`rel="license"\`.`,
    },
    {
      ro: `Orașele și coordonatele lor provin de la [GeoNames](https://www.geonames.org/): ${DATA_CREDIT}. Orașul unei stații este localitatea dată de sursă sau cea mai apropiată.`,
      en: `Cities and their coordinates come from [GeoNames](https://www.geonames.org/): ${DATA_CREDIT}. The city of a station is the locality given by the source, or the nearest one.`,
    },
    {
      ro: `Prețurile din Germania: [${GERMAN_SOURCE.credit}](${GERMAN_SOURCE.url}); menționați și această sursă.`,
      en: `The German prices: [${GERMAN_SOURCE.credit}](${GERMAN_SOURCE.url}); credit that source, too.`,
    },
    {
      ro: 'Granițele județelor, folosite pentru `coord_suspecta`, provin de la [Natural Earth](https://www.naturalearthdata.com/) (domeniu public).',
      en: 'County borders, used for `coord_suspecta`, come from [Natural Earth](https://www.naturalearthdata.com/) (public domain).',
    },
    {
      ro: 'Siglele rețelelor sunt desene simple făcute de noi, nu mărcile lor înregistrate.',
      en: 'The network logos are our own simple drawings, not the networks’ trademarks.',
    },
  ]),
};

const VERSIONS: DocsSection = {
  id: 'versiuni',
  title: { ro: 'Versiuni', en: 'Versions' },
  content: bulletList(() => [
    {
      ro: 'Versiunea face parte din cale: `/api/v1`. Numele câmpurilor nu se schimbă; pot fi adăugate câmpuri noi.',
      en: 'The version is in the path: `/api/v1`. Field names do not change; fields may be added.',
    },
    {
      ro: 'Adăugat la 2026-09-25: `actualizat_la`. De la 2026-09-28, `/statii` nu mai repetă o stație fără preț lângă înregistrarea ei cu preț și nu mai are înregistrări fără `tip`.',
      en: 'Added on 2026-09-25: `actualizat_la`. From 2026-09-28 `/statii` has no records without a price next to a priced record of the same station and fuel, and no records without `tip`.',
    },
  ]),
};

/** In reading order, after the endpoints. */
export const SECTIONS: readonly DocsSection[] = [
  MISSING,
  QUALITY,
  ERRORS,
  LIMITS,
  OTHER_INTERFACES,
  WEBHOOKS,
  TESTING,
  CORS,
  LICENSING,
  VERSIONS,
];
