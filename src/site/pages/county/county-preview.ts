/** The link preview of a county: its means, beside the map of its places. */
import { routePath } from '../../../domain/pages/routes.ts';
import { CITIES, counted, STATIONS } from '../../html/counted.ts';
import { countyBySlug, countySlug } from '../../lookup/place-slugs.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { boundsOf } from '../../map/static-map.ts';
import { MAIN_FUELS } from '../../parts/fuel-words.ts';
import { PREVIEW_TEXTS, type PreviewMaker, previewFigures, previewOfToday } from '../../parts/preview-parts.ts';
import { cityMarks } from '../../parts/station-map.ts';
import { TEXTS } from './county-texts.ts';

/** As the page has them: means of the lowest prices of its places. */
export const countyPreview: PreviewMaker = ({ language, parameters, data }) => {
  const { snapshot, gazetteer } = data;
  const county = countyBySlug(parameters.county, gazetteer);
  if (county === undefined) return null;
  const cities = snapshot.cities.filter((city) => city.county === county.code);
  const stations = stationLookup(snapshot).byCounty.get(county.code) ?? [];
  const marks = cityMarks(cities, 'petrol', gazetteer, language);
  const bounds = boundsOf(marks);
  const prices = snapshot.counties.get(county.code)?.prices;
  return {
    ...previewOfToday(data, language),
    path: routePath('county', language, { county: countySlug(county) }),
    kicker: PREVIEW_TEXTS.mean[language],
    subject: TEXTS.previewSubject[language](county.name),
    note: `${counted(stations.length, STATIONS, language)} ${TEXTS.in[language]} ${counted(cities.length, CITIES, language)}`,
    figures: previewFigures(MAIN_FUELS, (fuel) => prices?.[fuel], language),
    ...(bounds && { map: { marks, bounds } }),
  };
};
