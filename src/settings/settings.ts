/** The table of settings: names, defaults, meanings. Source: the operations page. */
import type { PriceRanges } from '../domain/fuel.ts';
import { absoluteUrl, contact, duration, host, oneOf, postgresUrl, priceRanges, sourceList, whole } from './parse.ts';

export type Setting<T> = {
  /** The default as the operator would write it; `null` = unset. */
  readonly standard: string | null;
  readonly parse: (text: string) => T;
  readonly meaning: string;
};

export const PUBLIC_REGISTER = 'https://monitorulpreturilor.info/pmonsvc/Gas';
export const KNOWN_SOURCES = ['register', 'manual'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const setting = <T>(standard: string | null, parse: (text: string) => T, meaning: string): Setting<T> => ({
  standard,
  parse,
  meaning,
});

export const SETTINGS = {
  PORT: setting('8080', whole(0, 65_535, 8080), 'The port `serve` listens on; 0 takes a free one.'),
  HOST: setting('127.0.0.1', host, 'The address `serve` listens on; `0.0.0.0` or `::` = all.'),
  PUBLIC_URL: setting<string | null>(
    null,
    absoluteUrl('https://pompa.example.ro'),
    'The address that links, docs, licence and plan links use. Unset = `http://HOST:PORT`.',
  ),
  DATABASE_URL: setting<string | null>(
    null,
    postgresUrl,
    'PostgreSQL 15 or newer. Unset = the embedded PostgreSQL of `DATA_DIR`, shared by all processes of the machine.',
  ),
  DATA_DIR: setting(
    './data',
    (text) => text,
    'Folder of the embedded database, the raw archive and the last good snapshot.',
  ),
  SOURCES: setting<readonly string[]>(
    '',
    sourceList(KNOWN_SOURCES),
    `Comma list of sources in service: ${KNOWN_SOURCES.map((name) => `\`${name}\``).join(', ')}. Empty = none.`,
  ),
  COLLECT_EVERY: setting('2h', duration, "The worker's cadence, from `1s` to `1d`."),
  REGISTER_URL: setting(
    PUBLIC_REGISTER,
    absoluteUrl(PUBLIC_REGISTER),
    'Base of the national price register, up to and including `/pmonsvc/Gas`.',
  ),
  REGISTER_PAUSE_MS: setting('300', whole(0, 60_000, 300), 'Pause between two requests to the register, milliseconds.'),
  REGISTER_PARALLEL: setting('2', whole(1, 16, 2), 'Requests to the register under way at once.'),
  CONTACT: setting<string | null>(
    null,
    contact,
    'E-mail or URL put into the User-Agent of every outgoing request; required as soon as a real source is in service.',
  ),
  PRICE_RANGES: setting<PriceRanges>(
    'benzina=5.50-12.00,motorina=5.50-13.00,gpl=2.50-6.00,adblue=1.00-20.00',
    priceRanges,
    'Valid ranges in RON per litre, both ends included; a fuel that is not named keeps its default.',
  ),
  LOG_LEVEL: setting('info', oneOf(LOG_LEVELS), `How much is logged: ${LOG_LEVELS.join(', ')}.`),
};

export type SettingName = keyof typeof SETTINGS;
