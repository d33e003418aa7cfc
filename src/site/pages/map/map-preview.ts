/** The link preview of the map: the country with the lowest prices of its cities. */
import { ROUTES } from '../../../domain/pages/routes.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { boundsOf } from '../../map/static-map.ts';
import { PREVIEW_TEXTS, type PreviewMaker, previewFigures, previewOfToday } from '../../parts/preview-parts.ts';
import { cityMarks } from '../../parts/station-map.ts';
import { TEXTS } from './map-texts.ts';

const CITIES_ON_MAP = 60;

/** Of petrol, as the map without a choice. */
export const mapPreview: PreviewMaker = ({ language, data }) => {
  const { snapshot, gazetteer } = data;
  const marks = cityMarks(snapshot.cities.slice(0, CITIES_ON_MAP), 'petrol', gazetteer, language);
  const bounds = boundsOf(marks);
  return {
    ...previewOfToday(data, language),
    path: ROUTES.map[language],
    kicker: PREVIEW_TEXTS.fuelPrices[language],
    subject: TEXTS.previewSubject[language],
    note: counted(snapshot.counts.stationsWithPrice, STATIONS, language),
    figures: previewFigures(['petrol'], () => snapshot.national.petrol.min, language, PREVIEW_TEXTS.from[language]),
    ...(bounds && { map: { marks, bounds } }),
  };
};
