import { slugify } from '../src/domain/places/place-names.ts';

/** What a slug is made from. */
type SlugSource = { name: string; county: string; siruta: number | null };

/**
 * A slug for each place, in the given order (most populous first). The first of a name has it plain (`fantanele`), the others get the county's
 * name (`fantanele-suceava`), then the SIRUTA code. Plain slugs are given out first, because `Poiana` in Brașov would take the plain slug of
 * `Poiana Brașov`. Throws when even the SIRUTA code does not tell two places apart.
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
        `${place.name} (${place.county}, ${place.siruta}) is there twice: see REPEATED in corrections.ts`,
      );
    return slug;
  });
}
