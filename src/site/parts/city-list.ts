/** The cities that text fields propose; a field names the list by its id. */
import type { SiteData } from '../frame/site-data.ts';
import { type Html, html } from '../html/html-template.ts';

export const CITY_LIST_ID = 'localitati';

/** Largest first. */
const CITIES_PROPOSED = 80;

/** The list, once a page. */
export function cityList({ snapshot, gazetteer }: Pick<SiteData, 'snapshot' | 'gazetteer'>): Html {
  const options = snapshot.cities.slice(0, CITIES_PROPOSED).map(({ slug, name }) => {
    const place = gazetteer.localityBySlug(slug);
    return html`<option value="${place === undefined ? name : gazetteer.labelOf(place)}"></option>`;
  });
  return html`<datalist id="${CITY_LIST_ID}">${options}</datalist>`;
}
