/** The HTML with which another site shows a badge that links to its page. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import type { SiteData } from '../frame/site-data.ts';
import { html } from '../html/html-template.ts';
import { fuelName } from '../parts/fuel-words.ts';
import { BADGE_PREFIX, CARD_PREFIX, citySubject } from './badge-subject.ts';
import { BADGE_HEIGHT } from './badge-svg.ts';

/** The line to copy for a fuel of a city, or for the card of all its fuels; `null` = no station is there. */
export function badgeSnippet(slug: string, fuel: RoadFuel | 'all', data: SiteData, language: Language): string | null {
  const city = citySubject(slug, data);
  if (city === undefined) return null;
  const { publicUrl } = data;
  const [picture, page, about] =
    fuel === 'all'
      ? [`${CARD_PREFIX[language]}/${slug}.svg`, city.pagePath(language), city.name]
      : [badgePath(slug, fuel, language), city.pagePath(language, fuel), `${city.name}, ${fuelName(fuel, language)}`];
  const height = fuel === 'all' ? null : html` height="${BADGE_HEIGHT}"`;
  return html`<a href="${publicUrl}${page}"><img src="${publicUrl}${picture}"${height} alt="${about}"></a>`.text;
}

/** The path of the badge of a city. */
export function badgePath(slug: string, fuel: RoadFuel, language: Language): string {
  return `${BADGE_PREFIX[language]}/${slug}/${FUEL_SLUG[language][fuel]}.svg`;
}
