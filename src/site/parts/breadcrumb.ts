/** The first links of the breadcrumbs. */
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { Link } from '../frame/page.ts';

/** The name of the country. */
export const COUNTRY: LocalizedText = { ro: 'România', en: 'Romania' };

const COUNTY = {
  ro: (name: string) => `Județul ${name}`,
  en: (name: string) => `${name} county`,
};
/** The slug of the capital, which is in no county. */
const CAPITAL = 'bucuresti';

/** The country: the home page, above every other. */
export function countryLink(language: Language): Link {
  return { name: COUNTRY[language], path: routePath('home', language) };
}

/** The country and a county; only the country where the county is not known. */
export function countyTrail(
  county: { readonly name: string; readonly slug: string } | null,
  language: Language,
): Link[] {
  const link = county && {
    name: county.slug === CAPITAL ? county.name : COUNTY[language](county.name),
    path: routePath('county', language, { county: county.slug }),
  };
  return [countryLink(language), ...(link === null ? [] : [link])];
}
