/** `SOURCES`: the sources in service, and the locations of price lists. */
import { IMPORTED_DAYS } from '../domain/prices/sourced-day.ts';
import { BadValue } from './parse.ts';

/** Sources with one address, each with the setting of that address. */
export const FEED_URL_SETTINGS = {
  rompetrol: 'ROMPETROL_URL',
  'locator:omv': 'LOCATOR_OMV_URL',
  'locator:petrom': 'LOCATOR_PETROM_URL',
  'locator:mol': 'LOCATOR_MOL_URL',
} as const;

/** Whether a source has a setting of its own for its address. */
export function isFeedSource(name: string): name is keyof typeof FEED_URL_SETTINGS {
  return Object.hasOwn(FEED_URL_SETTINGS, name);
}

const FIXED_SOURCES = ['register', ...Object.keys(FEED_URL_SETTINGS), 'manual'];

/** The syntax of the sources, for messages and docs. */
export const SOURCE_SYNTAX = [...FIXED_SOURCES.slice(0, -1), 'prices:NAME=URL-or-path', 'manual'].join(', ');

export type ParsedSources = {
  /** In the order given; a price list is `prices:NAME`. */
  readonly names: readonly string[];
  /** The location of each price list: an http or https address, or a file's path as written. */
  readonly lists: ReadonlyMap<string, string>;
};

const LIST = /^(prices:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)=(.+)$/;
const LIST_NAME = /^prices:[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

/** Parses a comma-separated list of sources, each allowed once. Throws `BadValue`. */
export function parseSources(text: string): ParsedSources {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseSource);
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new BadValue(`names the source ${twice} twice`);
  const lists = new Map(entries.flatMap(({ name, location }) => (location === null ? [] : [[name, location]])));
  return Object.freeze({ names: Object.freeze(names), lists });
}

function parseSource(entry: string): { name: string; location: string | null } {
  const [, name, place] = LIST.exec(entry) ?? [];
  if (name !== undefined && place !== undefined) return { name, location: parseLocation(name, place.trim()) };
  if (entry.startsWith('prices:'))
    throw new BadValue(
      `must name a price list and its location, such as prices:socar=https://example.org/prices.csv (NAME in lower-case letters, digits and "-")`,
    );
  if (FIXED_SOURCES.includes(entry)) return { name: entry, location: null };
  throw new BadValue(
    `names the unknown source "${(entry.split(/[=?@]/)[0] ?? '').slice(0, 60)}"; the sources are ${SOURCE_SYNTAX}`,
  );
}

function parseLocation(name: string, place: string): string {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(place)) return place;
  const url = URL.parse(place);
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password === '') return place;
  throw new BadValue(`must point ${name} to an http or https address or a file`);
}

/** What daily prices that the operator imported are called in `DUMP_SOURCES`. */
const DUMPABLE = [...FIXED_SOURCES, IMPORTED_DAYS];
/** The syntax of the sources that may be dumped, for messages and docs. */
export const DUMP_SOURCE_SYNTAX = [...FIXED_SOURCES, 'prices:NAME', IMPORTED_DAYS].join(', ');

/** Parses a comma-separated list of sources that may be dumped, in service or not, each once. Throws `BadValue`. */
export function parseDumpSources(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !DUMPABLE.includes(name) && !LIST_NAME.test(name));
  if (unknown !== undefined)
    throw new BadValue(
      `names the unknown source "${(unknown.split(/[=?@]/)[0] ?? '').slice(0, 60)}"; the sources are ${DUMP_SOURCE_SYNTAX}`,
    );
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw new BadValue(`names the source ${twice} twice`);
  return Object.freeze(names);
}

/** Whether a price list is on the network rather than in a file. */
export function isHttpUrl(place: string): boolean {
  return /^https?:/i.test(place);
}
