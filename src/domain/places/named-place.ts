import type { County } from './county.ts';
import type { Locality } from './locality.ts';
import { foldName } from './place-names.ts';

/** A locality with the names that search and look-up use. */
export type NamedPlace = {
  readonly place: Locality;
  /** Its folded name. */
  readonly key: string;
  /** The unambiguous name shown to people. */
  readonly label: string;
  /** Name of its county. */
  readonly county: string;
};

/**
 * Names every place: `Cluj-Napoca`; with the county when several places share the name (`Fântânele, Suceava`); with
 * the commune too for all but the most populous within one county (`Fântânele, Dărmănești, Suceava`). Places must come
 * most populous first.
 */
export function namePlaces(localities: readonly Locality[], counties: readonly County[]): NamedPlace[] {
  const countyName = new Map(counties.map(({ code, name }) => [code, name]));
  const places = localities.map((place) => ({
    place,
    key: foldName(place.name),
    county: countyName.get(place.county) ?? place.county,
  }));
  const namesakes = Map.groupBy(places, ({ key }) => key);
  return places.map((named) => ({ ...named, label: labelOf(named, namesakes.get(named.key) ?? []) }));
}

function labelOf(
  { place, county }: Omit<NamedPlace, 'label'>,
  namesakes: readonly Omit<NamedPlace, 'label'>[],
): string {
  if (namesakes.length === 1) return place.name;
  const first = namesakes.find((other) => other.place.county === place.county)?.place;
  const commune = first !== place && place.commune ? [place.commune] : [];
  return [place.name, ...commune, county].join(', ');
}
