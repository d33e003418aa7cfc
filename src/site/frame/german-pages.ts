/** The German channel as its page needs it; the service passes in the one that the API has. */
import type { GermanOutcome, GermanSearch } from '../../domain/german-station.ts';
import type { GermanPlaces } from '../../domain/places/german-places.ts';
import type { Visitor } from './journey-planner.ts';

export type GermanPages = {
  readonly places: GermanPlaces;
  /** Takes one request of the visitor's limit per minute; resolves with the ms until the next is free, 0 = taken. */
  readonly takeRequest: (visitor: Visitor) => number | Promise<number>;
  /** The stations around a point, from the cache and the budget of the API. `startedAt` by `performance.now()`. */
  readonly find: (search: GermanSearch, visitor: Visitor, startedAt: number) => GermanOutcome | Promise<GermanOutcome>;
};
