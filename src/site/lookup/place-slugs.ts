/** Cities and counties as pages name them and as their addresses spell them. */
import type { County } from '../../domain/places/county.ts';
import type { Gazetteer } from '../../domain/places/gazetteer.ts';
import { slugify } from '../../domain/places/place-names.ts';

/** The name of a city with its diacritics; its name as served where the gazetteer does not know it. */
export function cityName(slug: string, served: string, gazetteer: Gazetteer): string {
  return gazetteer.localityBySlug(slug)?.name ?? served;
}

/** The county as addresses spell it: `cluj`, `bistrita-nasaud`. */
export function countySlug({ name }: Pick<County, 'name'>): string {
  return slugify(name);
}

/** The county that an address spells; `undefined` = none. */
export function countyBySlug(slug: string | undefined, { counties }: Gazetteer): County | undefined {
  return counties.find((county) => countySlug(county) === slug);
}

/** A county by its plate code, for links to its page; `null` = there is none. */
export function countyLink(
  code: string,
  gazetteer: Gazetteer,
): { readonly name: string; readonly slug: string } | null {
  const county = gazetteer.countyByCode(code);
  return county === undefined ? null : { name: county.name, slug: countySlug(county) };
}
