import { foldName } from '../src/domain/places/place-names.ts';
import { COMMUNE_NAMES } from './corrections.ts';
import type { SourcePlace } from './source-place.ts';

/**
 * The commune or town of each place that shares name and county with another one; `null` for the others. A unit has
 * the name of its seat; if the seat has fewer than 500 inhabitants and is not in the data, that of the most populous
 * other place of the unit. Places must come most populous first.
 */
export function communeNames(places: readonly SourcePlace[]): (string | null)[] {
  const units = Map.groupBy(places, ({ siruta }) => siruta);
  const namesakes = Map.groupBy(places, nameAndCounty);
  return places.map((place) => {
    if (namesakes.get(nameAndCounty(place))?.length === 1) return null;
    const unit = units.get(place.siruta) ?? [];
    const corrected = COMMUNE_NAMES[place.siruta ?? 0];
    return corrected ?? (unit.find(({ seat }) => seat) ?? unit.find((other) => other !== place) ?? place).name;
  });
}

function nameAndCounty(place: SourcePlace): string {
  return `${foldName(place.name)}|${place.county}`;
}
