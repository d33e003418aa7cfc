/** The link previews of a city and of one of its fuels: the lowest prices, beside the map of its stations. */
import type { RoadFuel } from '../../../domain/fuel.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { FUEL_SLUG, fuelOfSlug } from '../../../domain/pages/fuel-slug.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { boundsOf } from '../../map/static-map.ts';
import { fuelNameInText, MAIN_FUELS } from '../../parts/fuel-words.ts';
import {
  countyOf,
  PREVIEW_TEXTS,
  type PreviewMaker,
  previewFigures,
  previewOfToday,
} from '../../parts/preview-parts.ts';
import { stationMarks } from '../../parts/station-map.ts';
import type { LinkPreview } from '../../previews/link-preview.ts';
import { type City, cityOf } from './city-data.ts';
import { TEXTS } from './city-texts.ts';

/** All main fuels. */
export const cityPreview: PreviewMaker = ({ language, parameters, data }) => {
  const city = cityOf(parameters.city ?? '', data);
  if (city === null) return null;
  return {
    ...placeOf(city, 'petrol', data, language),
    path: routePath('city', language, city.segment),
    kicker: PREVIEW_TEXTS.fuelPrices[language],
    figures: previewFigures(MAIN_FUELS, (fuel) => city.lowest[fuel], language, PREVIEW_TEXTS.from[language]),
  };
};

/** One fuel. */
export const cityFuelPreview: PreviewMaker = ({ language, parameters, data }) => {
  const city = cityOf(parameters.city ?? '', data);
  const fuel = fuelOfSlug(parameters.fuel ?? '', language);
  if (city === null || fuel === undefined) return null;
  return {
    ...placeOf(city, fuel, data, language),
    path: routePath('cityFuel', language, { ...city.segment, fuel: FUEL_SLUG[language][fuel] }),
    kicker: TEXTS.previewOf[language](fuelNameInText(fuel, language)),
    figures: previewFigures([fuel], () => city.lowest[fuel], language, PREVIEW_TEXTS.from[language]),
  };
};

function placeOf(
  { name, county, stations }: City,
  fuel: RoadFuel,
  data: SiteData,
  language: Language,
): Omit<LinkPreview, 'path' | 'kicker' | 'figures'> {
  const marks = stationMarks(stations, fuel, language);
  const bounds = boundsOf(marks);
  const parts = [counted(stations.length, STATIONS, language), countyOf(county, name, language)];
  return {
    ...previewOfToday(data, language),
    subject: name,
    note: parts.filter((part) => part !== '').join(' · '),
    ...(bounds && { map: { marks, bounds } }),
  };
}
