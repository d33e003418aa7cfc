/**
 * Reads the environment into one frozen typed object at startup. A wrong setting prevents startup, with a sentence that
 * names the variable and describes a valid value.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { CaptchaKind } from '../domain/access/captcha-kind.ts';
import type { MapTiles } from '../domain/map-tiles.ts';
import { editDistance } from '../domain/places/spelling.ts';
import { readBounded } from '../files/read-bounded.ts';
import { readCrawlers } from './crawlers-file.ts';
import { checkFollowerSettings } from './follower-settings.ts';
import { parseMapTiles } from './map-settings.ts';
import { BadValue, isLoopback } from './parse.ts';
import { readPriceMaps } from './price-maps.ts';
import { type MailSettings, parseMail, parseSelling, type StripeSettings } from './selling-settings.ts';
import type { Setting } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import { FEED_URL_SETTINGS, isFeedSource, isHttpUrl } from './source-settings.ts';
import { parseVapid, type Vapid } from './web-push-settings.ts';

/** A setting is wrong; the message is a sentence for the operator. */
export class ConfigError extends Error {}

type ParsedSettings = { [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never };

export type Config = Readonly<
  Omit<ParsedSettings, 'SOURCES' | 'CAPTCHA_KIND' | 'MAP_TILES_URL' | 'MAP_ATTRIBUTION'>
> & {
  /** Names of the sources in service. */
  readonly SOURCES: readonly string[];
  readonly CAPTCHA_KIND: CaptchaKind;
  /** The location of each price list among them: an address, or the path of a file. */
  readonly priceLists: ReadonlyMap<string, string>;
  /** The crawlers of `CRAWLERS_FILE`, else the built-in table. */
  readonly crawlers: ReturnType<typeof readCrawlers>;
  /** The maps of `PRICES_MAP`, by the NAME of `prices:NAME`. */
  readonly priceMaps: ReturnType<typeof readPriceMaps>;
  /** `null` = the map has our own tiles. */
  readonly mapTiles: MapTiles | null;
  /** `null` = push is not configured. */
  readonly vapid: Vapid | null;
  /** `null` = no mail is sent. */
  readonly mail: MailSettings | null;
  /** `null` = nothing is sold. */
  readonly selling: StripeSettings | null;
};

/** The project's folder: it holds `.env`, and relative paths in settings start here. */
export const PROJECT_DIR = path.resolve(import.meta.dirname, '../..');

/** Reads the settings from the environment and `.env` (the environment wins). Throws `ConfigError`. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env, folder: string = PROJECT_DIR): Config {
  const file = readEnvFile(path.join(folder, '.env'));
  for (const name of Object.keys(file)) {
    if (!Object.hasOwn(SETTINGS, name)) throw new ConfigError(`unknown setting ${name} in .env${suggestion(name)}`);
  }
  for (const name of Object.keys(environment)) {
    const meant = Object.hasOwn(SETTINGS, name) ? undefined : similarSetting(name);
    if (meant !== undefined)
      throw new ConfigError(`unknown setting ${name} in the environment; did you mean ${meant}?`);
  }
  const texts = { ...file, ...environment };
  const values = Object.fromEntries(
    (Object.keys(SETTINGS) as SettingName[]).map((name) => [name, readSetting(name, texts[name])]),
  ) as ParsedSettings;
  const config = {
    ...values,
    DATA_DIR: path.resolve(folder, values.DATA_DIR),
    MAP_PMTILES: values.MAP_PMTILES === null ? null : path.resolve(folder, values.MAP_PMTILES),
    BACKUP_DIR: backupFolder(values, folder),
    SOURCES: values.SOURCES.names,
    CAPTCHA_KIND: captchaKind(values),
    priceLists: resolveListPaths(values.SOURCES.lists, folder),
    crawlers: withSettingName('CRAWLERS_FILE', () => readCrawlers(values.CRAWLERS_FILE, folder)),
    priceMaps: withSettingName('PRICES_MAP', () => readPriceMaps(values.PRICES_MAP, folder)),
    mapTiles: asConfigError(() => parseMapTiles(values)),
    vapid: asConfigError(() => parseVapid(values)),
    mail: asConfigError(() => parseMail(values)),
    selling: asConfigError(() => parseSelling(values)),
  };
  asConfigError(() => checkFollowerSettings(config));
  requireContact(config, config.SOURCES);
  return Object.freeze(config);
}

/** The public address of the service, once the port is known. */
export function publicUrl(config: Pick<Config, 'HOST' | 'PUBLIC_URL'>, port: number): string {
  return config.PUBLIC_URL ?? httpOrigin(config.HOST, port);
}

/** The origin of what listens on this address or host name. */
export function httpOrigin(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether an address is on another machine. */
export function isRemote(url: string): boolean {
  return !isLoopback(new URL(url));
}

function readSetting(name: SettingName, text: string | undefined): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  const given = text === undefined || text === '' ? setting.defaultText : text;
  if (given === null) return null;
  const shown = SECRET_SETTINGS.includes(name) ? '' : `, not ${JSON.stringify(shownText(given).slice(0, 80))}`;
  return withSettingName(name, () => setting.parse(given), shown);
}

/** Settings whose values never appear in messages. */
const SECRET_SETTINGS: readonly SettingName[] = [
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'DATABASE_DIRECT_URL',
  'FOLLOW_TOKEN',
  'MCP_API_KEY',
  'TANKERKOENIG_API_KEY',
  'CAPTCHA_SECRET',
  'VAPID_PRIVATE_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SMTP_URL',
  'MQTT_URL',
];

/** The text up to the host of the first address in it: a user before the host, or anything after it, may be secret. */
function shownText(text: string): string {
  const [, before, address, scheme] = /^(.*?)(([a-z][a-z0-9+.-]*):\/\/.*|(?:https?):.*)$/is.exec(text) ?? [];
  if (address === undefined) return text;
  const url = URL.parse(address);
  if (url === null) return /[?@#=]/.test(address) ? `${before}${scheme ?? 'http'}:…` : text;
  const isHostOnly = /^[^/]*\/\/[^/?#@]*\/?$/.test(address);
  return isHostOnly ? text : `${before}${url.protocol}//${url.host}/…`;
}

/** Runs `read`; turns its clause about a bad value into a sentence that names the variable. */
function withSettingName<T>(name: SettingName, read: () => T, end = ''): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ConfigError(`${name} ${error.message}${end}`);
  }
}

/** Reads several settings at once; a `BadValue`, whose message is a whole sentence here, becomes a `ConfigError`. */
function asConfigError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BadValue ? new ConfigError(error.message) : error;
  }
}

/** Throws `ConfigError`. */
function backupFolder({ BACKUP_DIR, BACKUP_COMMAND }: ParsedSettings, folder: string): string | null {
  if (BACKUP_DIR !== null) return path.resolve(folder, BACKUP_DIR);
  if (BACKUP_COMMAND === null) return null;
  throw new ConfigError('BACKUP_DIR must be set when BACKUP_COMMAND is: the folder whose backups it takes elsewhere');
}

/** What a review with text must pass. Throws `ConfigError`. */
function captchaKind({ CAPTCHA_KIND, CAPTCHA_SECRET }: ParsedSettings): CaptchaKind {
  if (CAPTCHA_KIND === 'recaptcha' && CAPTCHA_SECRET === null)
    throw new ConfigError('CAPTCHA_SECRET must be set when CAPTCHA_KIND is recaptcha: the secret of its verifier');
  return CAPTCHA_KIND ?? (CAPTCHA_SECRET === null ? 'altcha' : 'recaptcha');
}

/** Requires `CONTACT` for sources on other machines, so that their operators can reach us. Throws `ConfigError`. */
export function requireContact(config: Config, sources: readonly string[]): void {
  if (config.CONTACT !== null) return;
  const remoteSource = sources.find((source) => {
    const address = sourceUrl(config, source);
    return address !== null && isRemote(address);
  });
  if (remoteSource === undefined) return;
  throw new ConfigError(
    `CONTACT must be set when ${remoteSource === 'register' ? 'the register' : remoteSource} in service is on another machine: an e-mail or URL for its operator, such as ops@example.org`,
  );
}

/** The address of a source; `null` = none, as for a file or the operator's imports. */
export function sourceUrl(config: Config, source: string): string | null {
  const list = config.priceLists.get(source);
  if (list !== undefined) return isHttpUrl(list) ? list : null;
  if (isFeedSource(source)) return config[FEED_URL_SETTINGS[source]];
  return source === 'register' ? config.REGISTER_URL : null;
}

/** Resolves relative file paths of price lists. */
function resolveListPaths(lists: ReadonlyMap<string, string>, folder: string): ReadonlyMap<string, string> {
  return new Map([...lists].map(([name, place]) => [name, isHttpUrl(place) ? place : path.resolve(folder, place)]));
}

const MAX_ENV_BYTES = 1_000_000;

function readEnvFile(file: string): Record<string, string> {
  try {
    const text = readBounded(file, MAX_ENV_BYTES).toString();
    refuseStrayLines(text);
    const values = parseEnv(text) as Record<string, string>;
    refuseOpenSecrets(file, values);
    return values;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Refuses a file with a secret that other users of the machine can read; refuses nothing where files have no modes. */
function refuseOpenSecrets(file: string, values: Readonly<Record<string, string>>): void {
  const names = Object.keys(SETTINGS) as SettingName[];
  const secret = names.find((name) => holdsSecret(name, values[name] ?? ''));
  if (secret === undefined || process.getuid === undefined || (statSync(file).mode & 0o077) === 0) return;
  throw new ConfigError(
    `${secret} in .env is a secret that other users of this machine can read: run chmod 600 ${file}`,
  );
}

/** A database address is a secret if it has a password; a service address, if it has a user or a query of its own. */
function holdsSecret(name: SettingName, text: string): boolean {
  if (name === 'MQTT_URL') return (URL.parse(text)?.password ?? '') !== '';
  if (name === 'DATABASE_URL' || name === 'DATABASE_READ_URL' || name === 'DATABASE_DIRECT_URL') {
    const url = URL.parse(text);
    return url !== null && (url.password !== '' || url.searchParams.has('password'));
  }
  if (SECRET_SETTINGS.includes(name)) return text !== '';
  if ((name !== 'SOURCES' && !name.endsWith('_URL')) || text === SETTINGS[name].defaultText) return false;
  const addresses = text.split(',').map((entry) => URL.parse(entry.trim().replace(/^prices:[^=]*=/, '')));
  return addresses.some((url) => url !== null && url.username + url.password + url.search !== '');
}

/** The parser ignores lines that it does not understand; a mistyped setting must not be lost that way. */
function refuseStrayLines(text: string): void {
  const stray = text.split(/\r?\n/).findIndex((line) => !/^\s*(#.*|(export\s+)?[A-Za-z_]\w*\s*=.*)?$/.test(line));
  if (stray !== -1) throw new ConfigError(`.env line ${stray + 1} must be NAME=value, a comment after #, or empty`);
}

function suggestion(name: string): string {
  const meant = similarSetting(name);
  return meant === undefined ? '; docs/SETTINGS.md lists them' : `; did you mean ${meant}?`;
}

/** The setting whose name is one letter off: changed, missing, added, or two neighbours swapped. */
function similarSetting(name: string): SettingName | undefined {
  return (Object.keys(SETTINGS) as SettingName[]).find((candidate) => editDistance(name, candidate, 1) === 1);
}
