/** The map of a journey: the road, and the prices of the stops that the page names. */
import type { Language } from '../../../domain/localized-text.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { RankedStop } from '../../../domain/roads/stop-saving.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatRon } from '../../html/formats.ts';
import { type Html, html } from '../../html/html-template.ts';
import { mapFrame } from '../../map/map-frame.ts';
import { boundsOf } from '../../map/static-map.ts';
import type { Journey, JourneyStop } from './journey-data.ts';
import { TEXTS } from './journey-texts.ts';

/** The map; each price leads to the page of its station. */
export function journeyMap(
  { from, to, route }: Journey,
  stops: readonly RankedStop<JourneyStop>[],
  { streetZoom }: Pick<SiteData, 'streetZoom'>,
  language: Language,
): Html {
  const marks = stops
    .filter(({ stop }) => !stop.station.suspectCoordinates)
    .map(({ stop: { station, slug, price } }) => {
      const text = formatRon(price, language);
      return {
        ...{ lat: station.lat, lng: station.lng, price, text },
        label: `${station.network.name}, ${station.address}: ${text} lei`,
        href: routePath('station', language, { station: slug }),
      };
    });
  const ends = route.line.map(([lat, lng]) => ({ lat, lng }));
  const bounds = boundsOf([...ends, ...marks]);
  if (bounds === undefined) return html``;
  return mapFrame({
    language,
    label: TEXTS.map[language](from.name, to.name),
    marks,
    bounds,
    way: route.line,
    streetZoom,
  });
}
