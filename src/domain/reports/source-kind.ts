/**
 * The kind of a source, by its name: it decides how far the source is trusted and what its silence about a station
 * means.
 */

/**
 * `list` = prices that a network publishes itself (`prices:NAME`), `register` = the national price register,
 * `network` = a network's station pages, `manual` = what the operator imports, `locator` = a network's list of
 * stations without prices (`locator:NAME`).
 */
export type SourceKind = 'list' | 'register' | 'network' | 'manual' | 'locator';

/** The kind of the source called `name`. */
export function sourceKind(name: string): SourceKind {
  if (name.startsWith('prices:')) return 'list';
  if (name.startsWith('locator:')) return 'locator';
  return name === 'register' || name === 'manual' ? name : 'network';
}

/**
 * The most ids of stations that a source of a kind may ever name: many times the stations of Romania, since a replaced
 * id counts too. The operator's own rows have no limit. Rule 32.
 */
export const MAX_IDS_EVER: Readonly<Record<SourceKind, number>> = {
  register: 20_000,
  list: 10_000,
  network: 10_000,
  locator: 10_000,
  manual: Number.POSITIVE_INFINITY,
};

/** Locations and opening hours change slowly: a locator that delivered is not read again for a day. */
export const LOCATOR_INTERVAL_MS = 86_400_000;

/** Source kinds by trust in their prices, highest first. Rule 25. */
export const PRICE_TRUST_ORDER: readonly SourceKind[] = ['list', 'register', 'network', 'manual', 'locator'];

/** Source kinds by trust in their station descriptions, highest first: a price list must not rebrand a station. */
const DESCRIPTION_TRUST_ORDER: readonly SourceKind[] = ['register', 'network', 'list', 'manual', 'locator'];

/**
 * The order in which one collection reads its sources: lists last, since they price stations that the others describe.
 */
const READING_ORDER: readonly SourceKind[] = ['register', 'network', 'manual', 'locator', 'list'];

/** Rank of a source's prices, 0 = most trusted. */
export function sourceRank(name: string): number {
  return PRICE_TRUST_ORDER.indexOf(sourceKind(name));
}

/** Rank of a source's station descriptions, 0 = most trusted. */
export function descriptionRank(name: string): number {
  return DESCRIPTION_TRUST_ORDER.indexOf(sourceKind(name));
}

/** Position of a source in a collection, 0 = first. */
export function readingRank(name: string): number {
  return READING_ORDER.indexOf(sourceKind(name));
}

/** Whether health checks the source's age: neither a locator nor the operator's manual imports. */
export function isPriceSource(name: string): boolean {
  return !['locator', 'manual'].includes(sourceKind(name));
}
