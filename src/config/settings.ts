/** The table of settings: names, defaults, meanings. Source: the operations page. */

import { CAPTCHA_KINDS, type CaptchaKind } from '../domain/access/captcha-kind.ts';
import type { TrustedProxies } from '../domain/access/trusted-proxies.ts';
import type { PushHost } from '../domain/alerts/push-host.ts';
import type { PriceRanges } from '../domain/fuel.ts';
import { dnsServers, trustedProxies } from './address-lists.ts';
import { BACKUP_SETTINGS } from './backup-settings.ts';
import { FOLLOWER_SETTINGS } from './follower-settings.ts';
import { mapAttribution, tileTemplate } from './map-settings.ts';
import { MQTT_SETTINGS } from './mqtt-settings.ts';
import {
  absoluteUrl,
  apiKey,
  contact,
  duration,
  fraction,
  host,
  hostNames,
  integerBetween,
  oneOf,
  postgresUrl,
  priceRanges,
  urlOrigin,
  urlWithQuery,
} from './parse.ts';
import { SELLING_SETTINGS } from './selling-table.ts';
import { setting } from './setting.ts';
import {
  DUMP_SOURCE_SYNTAX,
  type ParsedSources,
  parseDumpSources,
  parseSources,
  SOURCE_SYNTAX,
} from './source-settings.ts';
import { pushHosts, vapidPrivateKey, vapidPublicKey, vapidSubject } from './web-push-settings.ts';
import { webhookOrigins } from './webhook-settings.ts';

export const PUBLIC_REGISTER = 'https://monitorulpreturilor.info/pmonsvc/Gas';
export const PUBLIC_TANKERKOENIG = 'https://creativecommons.tankerkoenig.de';
export const PUBLIC_CAPTCHA = 'https://www.google.com/recaptcha/api/siteverify';
const PUBLIC_ROMPETROL = 'https://www.rompetrol.ro/routeplanner/stations?language_id=1';
const PUBLIC_WIGEOGIS = 'https://app.wigeogis.com/kunden/omv/data/getresults.php';
const PUBLIC_MOL = 'https://tankstellenfinder.molaustria.at/api.php';
const ROUTER_KINDS = ['osrm', 'valhalla'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const SETTINGS = {
  PORT: setting('8080', integerBetween(0, 65_535, 8080), 'The port that `serve` listens on; 0 picks a free one.'),
  HOST: setting('127.0.0.1', host, 'The address that `serve` listens on; `0.0.0.0` or `::` = all.'),
  STOP_DELAY: setting(
    '0',
    integerBetween(0, 300, 10),
    'How long `serve` goes on answering after SIGTERM, seconds, while `/readyz` says 503: as long as your load balancer takes to notice, see [UPGRADES.md](UPGRADES.md#several-servers).',
  ),
  PUBLIC_URL: setting<string | null>(
    null,
    absoluteUrl('https://pompa.example.ro'),
    'The base address of all links, such as those to docs, licence and plans. Unset = `http://HOST:PORT`.',
  ),
  DATABASE_URL: setting<string | null>(
    null,
    postgresUrl,
    'PostgreSQL 15 or newer. Unset = the embedded PostgreSQL of `DATA_DIR`, shared by all processes on the machine.',
  ),
  DATABASE_DIRECT_URL: setting<string | null>(
    null,
    postgresUrl,
    'The server itself, where `DATABASE_URL` is the address of a pooler such as PgBouncer: used for notifications, migrations, backups, `restore` and `delete`, see [DATABASE.md](DATABASE.md#behind-a-pooler). Unset = `DATABASE_URL` is used for all.',
  ),
  DATA_DIR: setting(
    './data',
    (text) => text,
    'Folder of the embedded database, the raw archive, the last good snapshot and the dumps.',
  ),
  TRUSTED_PROXIES: setting<TrustedProxies>(
    '',
    trustedProxies,
    'Comma-separated list of addresses and networks, such as `127.0.0.1, 10.0.0.0/8`, whose `X-Forwarded-For` is trusted, read right to left. No other header is trusted.',
  ),
  SOURCES: setting<ParsedSources>(
    '',
    parseSources,
    `Comma-separated list of sources in service: \`${SOURCE_SYNTAX.replaceAll(', ', '`, `')}\`. Empty = none. You choose a list's NAME (lower-case letters, digits, \`-\`); write a comma in its address as \`%2C\`.`,
  ),
  DUMP_SOURCES: setting<readonly string[]>(
    '',
    parseDumpSources,
    `Comma-separated list of sources whose rows may be published as files below \`/date/v1/\`: \`${DUMP_SOURCE_SYNTAX.replaceAll(', ', '`, `')}\` (daily prices that you imported). Name only those whose licence allows it. Empty = none, and no files.`,
  ),
  COLLECT_EVERY: setting('2h', duration, 'How often the worker collects a source: the time from one run to the next.'),
  REGISTER_URL: setting(
    PUBLIC_REGISTER,
    absoluteUrl(PUBLIC_REGISTER),
    'Base of the national price register, up to and including `/pmonsvc/Gas`.',
  ),
  REGISTER_PAUSE_MS: setting(
    '300',
    integerBetween(0, 60_000, 300),
    'Pause between two requests to the register, milliseconds.',
  ),
  REGISTER_PARALLEL: setting('2', integerBetween(1, 16, 2), 'Concurrent requests to the register.'),
  ROMPETROL_URL: setting(
    PUBLIC_ROMPETROL,
    urlWithQuery(PUBLIC_ROMPETROL),
    'Full address of the station list of Rompetrol (`rompetrol`).',
  ),
  LOCATOR_OMV_URL: setting(
    PUBLIC_WIGEOGIS,
    urlWithQuery(PUBLIC_WIGEOGIS),
    'Full address of the station locator of OMV (`locator:omv`).',
  ),
  LOCATOR_PETROM_URL: setting(
    PUBLIC_WIGEOGIS,
    urlWithQuery(PUBLIC_WIGEOGIS),
    'Full address of the station locator of Petrom (`locator:petrom`).',
  ),
  LOCATOR_MOL_URL: setting(
    PUBLIC_MOL,
    urlWithQuery(PUBLIC_MOL),
    'Full address of the station locator of MOL (`locator:mol`).',
  ),
  CONTACT: setting<string | null>(
    null,
    contact,
    'E-mail or URL in the User-Agent of every outgoing request; required if a source in service is on another machine.',
  ),
  PRICE_RANGES: setting<PriceRanges>(
    'benzina=5.50-12.00,motorina=5.50-13.00,gpl=2.50-6.00,adblue=1.00-20.00',
    priceRanges,
    'Valid ranges in RON per litre, both ends included; a fuel that is not named keeps its default.',
  ),
  VAPID_PUBLIC_KEY: setting<string | null>(
    null,
    vapidPublicKey,
    'The public key of web push; `pompa push keys` makes the pair. The three `VAPID_` settings go together; unset = no push.',
  ),
  VAPID_PRIVATE_KEY: setting<string | null>(null, vapidPrivateKey, 'The private key of that pair. A secret.'),
  VAPID_SUBJECT: setting<string | null>(
    null,
    vapidSubject,
    'The contact that push services may use about our messages, such as `mailto:ops@example.org`.',
  ),
  PUSH_HOSTS: setting<readonly PushHost[]>(
    'fcm.googleapis.com, *.push.services.mozilla.com, *.push.apple.com, *.notify.windows.com',
    pushHosts,
    'Comma-separated list of hosts to which push messages may be sent, over https; `*.` = all subdomains. A full origin such as `http://127.0.0.1:9000` may be private.',
  ),
  WEBHOOK_ORIGINS: setting<readonly string[]>(
    '',
    webhookOrigins,
    'Comma-separated list of origins such as `http://127.0.0.1:9000` to which webhooks may lead although they are private or without TLS: every holder of a key may have us post there, to any path. Empty = none.',
  ),
  TANKERKOENIG_URL: setting(
    PUBLIC_TANKERKOENIG,
    absoluteUrl(PUBLIC_TANKERKOENIG),
    'Origin of the German source; `/json/list.php` is appended.',
  ),
  TANKERKOENIG_API_KEY: setting<string | null>(
    null,
    apiKey,
    'Your key for the German source. Unset = `/de-statii` answers 503.',
  ),
  TANKERKOENIG_PER_HOUR: setting(
    '12',
    integerBetween(1, 1_000, 12),
    'Requests to the German source within any hour, over all processes, failed ones included.',
  ),
  CAPTCHA_KIND: setting<CaptchaKind | null>(
    null,
    oneOf(CAPTCHA_KINDS),
    'What a review or report with text must pass: `altcha` = our own proof of work, `recaptcha` = the captcha of `CAPTCHA_SECRET`, `none` = texts are refused; stars, and reports without text, are accepted. Unset = `recaptcha` where `CAPTCHA_SECRET` is set, else `altcha`.',
  ),
  CAPTCHA_SECRET: setting<string | null>(
    null,
    apiKey,
    'The secret of a captcha (reCAPTCHA v3, or a compatible one). Unset = that captcha is not in use.',
  ),
  CAPTCHA_SITE_KEY: setting<string | null>(
    null,
    apiKey,
    "The public site key that belongs to `CAPTCHA_SECRET`, for Google's reCAPTCHA v3 alone: with it the forms of our pages take a text, too, and load Google's script once somebody touches its field. Unset = they take none where the captcha is `recaptcha`.",
  ),
  CAPTCHA_URL: setting(
    PUBLIC_CAPTCHA,
    absoluteUrl(PUBLIC_CAPTCHA),
    "Full address of the captcha's verifier. The action is `review`.",
  ),
  CAPTCHA_HOSTNAMES: setting<readonly string[] | null>(
    null,
    hostNames,
    'Comma-separated list of the hosts whose pages may request a token, such as `pompa.example.ro`. Unset = the host of `PUBLIC_URL`.',
  ),
  CAPTCHA_MIN_SCORE: setting('0.5', fraction, 'The lowest score that counts as a person.'),
  DNS_SERVERS: setting<readonly string[] | null>(
    null,
    dnsServers,
    "Comma-separated list of `address[:port]`, such as `9.9.9.9, [2620:fe::fe]:53`, for the reverse look-ups of crawlers. Unset = the system's.",
  ),
  PRICES_MAP: setting<string | null>(
    null,
    (text) => text,
    'How operator price lists name their columns, fuels and rows, as JSON: `{"NAME": {"columns": {"price": "Pret"}, "fuels": {"Nano 95": "benzina_standard"}}}`; see [SOURCES.md](SOURCES.md#price-lists-pricesname). Unset = the lists use our names.',
  ),
  CRAWLERS_FILE: setting<string | null>(
    null,
    (text) => text,
    'The crawler table (User-Agent token, DNS suffixes) as JSON: `[{"token": "Googlebot", "suffixes": [".googlebot.com"]}]`. Unset = the built-in one.',
  ),
  ROUTER_URL: setting<string | null>(
    null,
    urlOrigin('http://127.0.0.1:5000'),
    'Origin of the HTTP server of a routing engine for `/api/v1/traseu/custom` and the pages of journeys, such as `http://127.0.0.1:5000`. Unset = the built-in roads.',
  ),
  ROUTER_KIND: setting('osrm', oneOf(ROUTER_KINDS), 'What answers at `ROUTER_URL`: `osrm` or `valhalla`.'),
  MAP_TILES_URL: setting<string | null>(
    null,
    tileTemplate,
    'Map tiles of another service for `/harta`, as an address of raster tiles such as `https://tiles.example.org/{z}/{x}/{y}.png`; visitors load them from there. Goes together with `MAP_ATTRIBUTION`. Unset = our own tiles.',
  ),
  MAP_ATTRIBUTION: setting<string | null>(
    null,
    mapAttribution,
    'What must stand on that map, as plain text; a link is written `[words](https://address)`, such as `© [OpenStreetMap contributors](https://www.openstreetmap.org/copyright)`.',
  ),
  MAP_PMTILES: setting<string | null>(
    null,
    (text) => text,
    'A PMTiles file of OpenStreetMap data (schema of Protomaps or OpenMapTiles) from which our own maps get streets, such as `/data/ro.pmtiles`. Unset = maps without streets.',
  ),
  ...BACKUP_SETTINGS,
  ...FOLLOWER_SETTINGS,
  ...MQTT_SETTINGS,
  ...SELLING_SETTINGS,
  MCP_API_KEY: setting<string | null>(
    null,
    apiKey,
    'The API key that `pompa mcp` sends, see [MCP.md](MCP.md). A secret. Unset = it asks without a key.',
  ),
  METRICS_PORT: setting<number | null>(
    null,
    integerBetween(0, 65_535, 9464),
    'The port of `METRICS_HOST` where `serve` and `worker` expose their metrics as Prometheus text, `/metrics`; 0 picks a free one. Unset = none.',
  ),
  METRICS_HOST: setting(
    '127.0.0.1',
    host,
    'The address that `METRICS_PORT` is on; `0.0.0.0` or `::` = all. Whoever reaches it reads the metrics: keep it inside your network.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting<string | null>(
    null,
    absoluteUrl('http://127.0.0.1:4318'),
    'Where traces go, by OTLP over HTTP: the base address of an OpenTelemetry collector, to which `/v1/traces` is added. Unset = no traces.',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    '1',
    fraction,
    'The part of the traces that is kept; a proxy that sends `traceparent` has decided itself.',
  ),
  LOG_LEVEL: setting('info', oneOf(LOG_LEVELS), `How much is logged: ${LOG_LEVELS.join(', ')}.`),
};

export type SettingName = keyof typeof SETTINGS;
