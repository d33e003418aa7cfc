import type { County } from './county.ts';
import type { Locality } from './locality.ts';
import { fold } from './place-names.ts';

/**
 * How each place is named to people so that the name means it alone: `Cluj-Napoca`; with the county when several places share the name
 * (`Fântânele, Suceava`); with the commune too for the smaller of two in one county (`Valea Mare, Bogați, Argeș`).
 * Places must come most populous first.
 */
export function labelsOf(localities: readonly Locality[], counties: readonly County[]): Map<Locality, string> {
  const countyName = new Map(counties.map(({ code, name }) => [code, name]));
  const unitName = firstBy(localities, ({ siruta }) => siruta);
  const sharing = Map.groupBy(localities, ({ name }) => fold(name));
  const firstOfCounty = firstBy(localities, sameNameAndCounty);
  return new Map(
    localities.map((place) => {
      const county = countyName.get(place.county) ?? place.county;
      if (sharing.get(fold(place.name))?.length === 1) return [place, place.name];
      if (firstOfCounty.get(sameNameAndCounty(place)) === place) return [place, `${place.name}, ${county}`];
      return [place, `${place.name}, ${unitName.get(place.siruta)?.name ?? ''}, ${county}`];
    }),
  );
}

function sameNameAndCounty(place: Locality): string {
  return `${fold(place.name)}|${place.county}`;
}

function firstBy<K>(localities: readonly Locality[], key: (place: Locality) => K): Map<K, Locality> {
  const first = new Map<K, Locality>();
  for (const place of localities) if (!first.has(key(place))) first.set(key(place), place);
  return first;
}
