import { slugify } from '../src/domain/places/place-names.ts';

/** The input of a slug. */
type SlugSource = { name: string; county: string; siruta: number | null };

/**
 * A slug for each place, in the given order (most populous first). The first place of a name gets the plain slug
 * (`fantanele`), the others add the county's name (`fantanele-suceava`), then the SIRUTA code. Plain slugs are
 * assigned first, because `Poiana` in Brașov would otherwise take the plain slug of `Poiana Brașov`. Throws if even
 * the SIRUTA code does not distinguish two places.
 */
export function assignSlugs(places: readonly SlugSource[], countyName: (code: string) => string): string[] {
  const taken = new Set<string>();
  const take = (slug: string): string | null => {
    if (taken.has(slug)) return null;
    taken.add(slug);
    return slug;
  };
  const plain = places.map((place) => take(slugify(place.name)));
  return places.map((place, index) => {
    const slug =
      plain[index] ??
      take(slugify(`${place.name} ${countyName(place.county)}`)) ??
      take(slugify(`${place.name} ${countyName(place.county)} ${place.siruta}`));
    if (slug === null)
      throw new Error(
        `${place.name} (${place.county}, ${place.siruta}) occurs twice: see DUPLICATE_ROWS in corrections.ts`,
      );
    return slug;
  });
}
