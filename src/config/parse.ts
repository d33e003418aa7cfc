/** Parses the texts of settings. Each parser throws one clause that describes a valid value. */
import { DEFAULT_RANGES, type Fuel, type PriceRange, type PriceRanges } from '../domain/fuel.ts';
import { fuelsOfRange } from '../domain/fuel-codes.ts';

/** What is wrong with a value, as the end of a sentence that begins with the variable's name. */
export class BadValue extends Error {}

/** Parses the text of a setting. */
export type Parser<T> = ((text: string) => T) & {
  /** The smallest and the largest value, as the operator would write them; only numbers and durations have them. */
  readonly range?: string;
};

function withRange<T>(range: string, parse: (text: string) => T): Parser<T> {
  return Object.assign(parse, { range });
}

export function integerBetween(least: number, most: number, example: number): Parser<number> {
  return withRange(`${least} to ${most}`, (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new BadValue(`must be a whole number from ${least} to ${most}, such as ${example}`);
  });
}

export function oneOf<T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new BadValue(`must be one of ${values.join(', ')}`);
  };
}

/** Whether the host of an address is this machine, by its name alone. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** An http or https address without a trailing slash, query or fragment. */
export function absoluteUrl(example: string): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (
      url &&
      /^https?:$/.test(url.protocol) &&
      url.search === '' &&
      url.hash === '' &&
      url.username + url.password === ''
    ) {
      return text.replace(/\/+$/, '');
    }
    throw new BadValue(`must be an http or https address without a query, such as ${example}`);
  };
}

/** An http or https address that is used as it is, with its query. */
export function urlWithQuery(example: string): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && url.hash === '' && url.username + url.password === '') return text;
    throw new BadValue(`must be an http or https address, such as ${example}`);
  };
}

/** Scheme, host and port of an http or https address, and nothing after them. */
export function urlOrigin(example: string): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    throw new BadValue(`must be an http or https address without a path, such as ${example}`);
  };
}

/** A key issued by another service. */
export function apiKey(text: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text;
  throw new BadValue('must be at most 200 letters, digits and signs, without spaces');
}

/** A number from 0 to 1, such as `0.5`. */
export const fraction = withRange('0 to 1', (text) => {
  if (/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)) return Number(text);
  throw new BadValue('must be a number from 0 to 1, such as 0.5');
});

/** A comma-separated list of host names without scheme, port or path, in lower case. */
export function hostNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  if (names.every((name) => /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name))) return Object.freeze(names);
  throw new BadValue('must be host names without a scheme or port, such as pompa.example.ro, www.pompa.example.ro');
}

export function postgresUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^postgres(ql)?:$/.test(url.protocol)) return text;
  throw new BadValue('must be a PostgreSQL address, such as postgres://user:password@host:5432/pompa');
}

const DURATION_UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A duration such as `90s`, `30m`, `2h` or `1d`, in milliseconds, both ends allowed; `range` and `example` describe
 * them in messages.
 */
export function durationBetween(leastMs: number, mostMs: number, range: string, example: string): Parser<number> {
  return withRange(range, (text) => {
    const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
    const ms = Number(count) * (DURATION_UNITS[unit ?? ''] ?? Number.NaN);
    if (ms >= leastMs && ms <= mostMs) return ms;
    throw new BadValue(`must be a duration from ${range}, such as ${example}`);
  });
}

/** A duration from one second to one day, in milliseconds. */
export const duration = durationBetween(1_000, 86_400_000, '1s to 1d', '30m or 2h');

/** A host name or address to listen on. */
export function host(text: string): string {
  if (/^[a-zA-Z0-9.:_-]{1,253}$/.test(text)) return text;
  throw new BadValue('must be a host name or an IP address, such as 127.0.0.1 or 0.0.0.0');
}

/** Ranges such as `benzina=5.50-12.00,gpl=2.50-6.00`; fuels that are not named keep the contract's range. */
export const priceRanges = withRange('0.001 to 999.999', (text): PriceRanges => {
  const ranges: Record<Fuel, PriceRange> = { ...DEFAULT_RANGES };
  for (const part of text.split(',')) {
    const [, word, low, high] = /^\s*(\w+)=(\d{1,3}(?:\.\d{1,3})?)-(\d{1,3}(?:\.\d{1,3})?)\s*$/.exec(part) ?? [];
    const fuels = fuelsOfRange(word ?? '');
    const range = { min: Math.round(Number(low) * 1000), max: Math.round(Number(high) * 1000) };
    if (fuels.length === 0 || !(range.min > 0 && range.min < range.max)) {
      throw new BadValue(
        'must name ranges in RON per litre, such as benzina=5.50-12.00,motorina=5.50-13.00,gpl=2.50-6.00',
      );
    }
    for (const fuel of fuels) ranges[fuel] = range;
  }
  return Object.freeze(ranges);
});

/** An e-mail address or a URL at which a source's operator can reach us. */
export function contact(text: string): string {
  const isContact = /^[^@<>()]+@[^@<>()]+\.[^@<>()]+$/.test(text) || /^https?:\/\/[^<>()]+$/.test(text);
  // The contact becomes part of a header, which must not contain other characters.
  if (isContact && /^[!-~]+$/.test(text)) return text;
  throw new BadValue('must be an e-mail address or a URL, such as ops@example.org');
}
