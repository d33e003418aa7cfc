/**
 * Reads the environment into one frozen typed object at start. A wrong setting stops the start with a sentence that
 * names the variable and says what would be right.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { editDistance } from '../domain/places/spelling.ts';
import { readCrawlers } from './crawlers-file.ts';
import { BadValue } from './parse.ts';
import { readPriceMaps } from './price-maps.ts';
import { parseVapid, type Vapid } from './push.ts';
import { SETTINGS, type Setting, type SettingName } from './settings.ts';
import { isHttpUrl, isPageSource, PAGE_SETTINGS } from './sources.ts';

/** A setting is wrong; the message is a sentence for the operator. */
export class ConfigError extends Error {}

type ParsedSettings = { [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never };

export type Config = Readonly<Omit<ParsedSettings, 'SOURCES'>> & {
  /** Names of the sources in service. */
  readonly SOURCES: readonly string[];
  /** The location of each price list among them: an address, or the path of a file. */
  readonly priceLists: ReadonlyMap<string, string>;
  /** The crawlers of `CRAWLERS_FILE`, else the built-in table. */
  readonly crawlers: ReturnType<typeof readCrawlers>;
  /** The maps of `PRICES_MAP`, by the NAME of `prices:NAME`. */
  readonly priceMaps: ReturnType<typeof readPriceMaps>;
  /** `null` = push is not configured. */
  readonly vapid: Vapid | null;
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
    SOURCES: values.SOURCES.names,
    priceLists: resolveListPaths(values.SOURCES.lists, folder),
    crawlers: withSettingName('CRAWLERS_FILE', () => readCrawlers(values.CRAWLERS_FILE, folder)),
    priceMaps: withSettingName('PRICES_MAP', () => readPriceMaps(values.PRICES_MAP, folder)),
    vapid: vapid(values),
  };
  requireContact(config, config.SOURCES);
  return Object.freeze(config);
}

/** The public address of the service, once the port is known. */
export function publicUrl(config: Config, port: number): string {
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  return config.PUBLIC_URL ?? `http://${host}:${port}`;
}

/** Whether an address is on another machine. */
export function isRemote(url: string): boolean {
  const { hostname } = new URL(url);
  return !/^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function readSetting(name: SettingName, text: string | undefined): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  const given = text === undefined || text === '' ? setting.defaultText : text;
  if (given === null) return null;
  const shown = SECRET_SETTINGS.includes(name) ? '' : `, not ${JSON.stringify(given.slice(0, 80))}`;
  return withSettingName(name, () => setting.parse(given), shown);
}

/** Settings whose values no message repeats. */
const SECRET_SETTINGS: readonly SettingName[] = [
  'DATABASE_URL',
  'TANKERKOENIG_API_KEY',
  'CAPTCHA_SECRET',
  'VAPID_PRIVATE_KEY',
];

/** Runs `read`; turns its clause about a bad value into a sentence that names the variable. */
function withSettingName<T>(name: SettingName, read: () => T, end = ''): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw new ConfigError(`${name} ${error.message}${end}`);
  }
}

function vapid(values: ParsedSettings): Vapid | null {
  try {
    return parseVapid({
      VAPID_PUBLIC_KEY: values.VAPID_PUBLIC_KEY,
      VAPID_PRIVATE_KEY: values.VAPID_PRIVATE_KEY,
      VAPID_SUBJECT: values.VAPID_SUBJECT,
    });
  } catch (error) {
    throw error instanceof BadValue ? new ConfigError(error.message) : error;
  }
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

/** The address of a source; `null` = it has none: a file, or the operator's imports. */
export function sourceUrl(config: Config, source: string): string | null {
  const list = config.priceLists.get(source);
  if (list !== undefined) return isHttpUrl(list) ? list : null;
  if (isPageSource(source)) return config[PAGE_SETTINGS[source]];
  return source === 'register' ? config.REGISTER_URL : null;
}

/** Resolves relative file paths of price lists. */
function resolveListPaths(lists: ReadonlyMap<string, string>, folder: string): ReadonlyMap<string, string> {
  return new Map([...lists].map(([name, place]) => [name, isHttpUrl(place) ? place : path.resolve(folder, place)]));
}

function readEnvFile(file: string): Record<string, string> {
  try {
    const text = readFileSync(file, 'utf8');
    refuseStrayLines(text);
    return parseEnv(text) as Record<string, string>;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
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
