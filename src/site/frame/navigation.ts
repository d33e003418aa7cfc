/** A link to a page of ours in the navigation or the footer. */
import type { LocalizedText } from '../../domain/localized-text.ts';
import { type RouteName, routePath } from '../../domain/pages/routes.ts';
import { type Html, html } from '../html/html-template.ts';
import type { Page } from './page.ts';

export type NavigationLink = { readonly route: StaticRoute; readonly name: LocalizedText };
/** Routes without a variable part. */
type StaticRoute = Exclude<
  RouteName,
  'city' | 'cityFuel' | 'station' | 'county' | 'network' | 'journeyBetween' | 'day'
>;

/** The link, marked where it leads to the page itself. */
export function navigationItem({ route, name }: NavigationLink, page: Page): Html {
  // The page of a refusal stands at the address of no other.
  const isCurrent = page.route === route && (page.status ?? 200) === 200;
  const current = isCurrent ? html` aria-current="page"` : null;
  return html`<li><a href="${routePath(route, page.language)}"${current}>${name[page.language]}</a></li>\n`;
}
