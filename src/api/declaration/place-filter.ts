/** The filters `judet` and `oras`, which name places as people do. */
import { MESSAGES } from '../contract/messages.ts';
import type { Caller } from '../request/caller.ts';
import { namedCities, type PlaceNames, type ServedCities } from '../request/named-cities.ts';
import { type Problem, problem } from '../response/problem.ts';

/** `null` = any place. */
export type PlaceFilter = {
  /** Plate code. */
  readonly county: string | null;
  /** Slugs. */
  readonly cities: readonly string[] | null;
};

export type PlaceFilterOptions = {
  readonly served: ServedCities;
  readonly places: PlaceNames;
  readonly caller: Caller;
};

/** What the names mean; a county or a city that nobody knows is 404, with the likely names of a city. */
export function parsePlaceFilter(
  { judet, oras }: { readonly judet: string; readonly oras: string },
  { served, places, caller }: PlaceFilterOptions,
): PlaceFilter | { readonly problem: Problem } {
  const county = judet.trim() === '' ? null : places.countyByName(judet);
  if (county === undefined) return { problem: problem(404, MESSAGES.countyUnknown) };
  const city = oras.trim();
  const cities = city === '' ? null : namedCities(city, county, { served, places });
  if (cities === undefined)
    return { problem: problem(404, MESSAGES.placeUnknown(city, places.suggestPlaces(city, caller))) };
  return { county: county?.code ?? null, cities };
}
