/** The way to the stations nearby: a link for everybody, and with `near-me.ts` a button that asks for the position. */
import type { RoadFuel } from '../../domain/fuel.ts';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import { FUEL_SLUG } from '../../domain/pages/fuel-slug.ts';
import { routePath } from '../../domain/pages/routes.ts';
import type { Point } from '../../domain/point.ts';
import { type Html, html } from '../html/html-template.ts';

const NEAR_ME: LocalizedText = { ro: 'Lângă mine', en: 'Near me' };
const ASKING: LocalizedText = { ro: 'Se caută poziția…', en: 'Finding your position…' };
const DENIED: LocalizedText = {
  ro: 'Browserul nu a dat poziția. Permiteți-o acestui site din setările lui și apăsați din nou, sau căutați localitatea după nume.',
  en: 'The browser did not give your position. Allow it for this site in its settings and tap again, or search for the place by name.',
};
const FAILED: LocalizedText = {
  ro: 'Poziția nu a putut fi aflată. Apăsați din nou, eventual afară, sau căutați localitatea după nume.',
  en: 'Your position could not be found. Tap again, outdoors if you can, or search for the place by name.',
};

/** Decimals of a position in an address: about 100 m. */
const POSITION_DECIMALS = 3;

/** The button, hidden until code shows it, and the link that it replaces; on the page itself no link keeps its room. */
export function nearMeButton(language: Language, fuel: RoadFuel | null, isOnItsPage = false): Html {
  const path = routePath('nearby', language);
  const target = fuel === null ? path : `${path}?${new URLSearchParams({ tip: FUEL_SLUG[language][fuel] })}`;
  return html`<div class="near-me"><p><button type="button" data-target="${target}"${isOnItsPage ? html` class="needs-code"` : html` hidden`}>${NEAR_ME[language]}</button>${isOnItsPage ? null : html`<a href="${path}">${NEAR_ME[language]}</a>`}</p>
<p role="status" data-asking="${ASKING[language]}" data-denied="${DENIED[language]}" data-failed="${FAILED[language]}"></p></div>`;
}

/** The page of the stations around a point, which is rounded. */
export function nearbyPath({ lat, lng }: Point, language: Language, fuel?: RoadFuel): string {
  const position = { lat: lat.toFixed(POSITION_DECIMALS), lng: lng.toFixed(POSITION_DECIMALS) };
  const query = new URLSearchParams({ ...position, ...(fuel && { tip: FUEL_SLUG[language][fuel] }) });
  return `${routePath('nearby', language)}?${query}`;
}
