/** What kind a source is, by its name: how much it is believed, and what its silence about a station means. */

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

/** Where stations are and when they open changes slowly: a locator that delivered is left in peace for a day. */
export const LOCATOR_INTERVAL_MS = 86_400_000;

/** Whose prices are believed first. Rule 25. */
const PRICE_TRUST_ORDER: readonly SourceKind[] = ['list', 'register', 'network', 'manual', 'locator'];

/** Who knows best what a station is and where it stands: a price list knows prices, and rebrands no station. */
const DESCRIPTION_TRUST_ORDER: readonly SourceKind[] = ['register', 'network', 'list', 'manual', 'locator'];

/** In which order the sources of one collection are read: a list's prices are for stations that the others know. */
const READING_ORDER: readonly SourceKind[] = ['register', 'network', 'manual', 'locator', 'list'];

/** Rank of a source among those that price a station, 0 = believed first. */
export function sourceRank(name: string): number {
  return PRICE_TRUST_ORDER.indexOf(sourceKind(name));
}

/** Rank of a source among those that describe a station, 0 = believed first. */
export function descriptionRank(name: string): number {
  return DESCRIPTION_TRUST_ORDER.indexOf(sourceKind(name));
}

/** Place of a source in a collection, 0 = first. */
export function readingRank(name: string): number {
  return READING_ORDER.indexOf(sourceKind(name));
}

/** Whether a source is one of prices, whose age health judges: not a locator, and nothing the operator imports. */
export function isPriceFeed(name: string): boolean {
  return !['locator', 'manual'].includes(sourceKind(name));
}
