/** The link preview of a station: its own prices, and where it stands. */
import { ROAD_FUELS } from '../../../domain/fuel.ts';
import { routePath } from '../../../domain/pages/routes.ts';
import { trustedPrice } from '../../../domain/prices/price-verdict.ts';
import { MAIN_FUELS } from '../../parts/fuel-words.ts';
import { countyOf, type PreviewMaker, previewFigures, previewOfToday } from '../../parts/preview-parts.ts';
import { stationMarks } from '../../parts/station-map.ts';
import { stationOf } from './station-data.ts';

/** Shows the streets around it as far as the map has any. */
const ZOOM = 12;

/** Trusted prices only. */
export const stationPreview: PreviewMaker = ({ language, parameters, data }) => {
  const details = stationOf(parameters.station ?? '', data);
  if (details === null) return null;
  const { station, city, county, verdicts, slug, position } = details;
  const priceOf = (fuel: (typeof ROAD_FUELS)[number]) => trustedPrice(verdicts.get(fuel));
  const first = MAIN_FUELS.find((fuel) => priceOf(fuel) !== null) ?? ROAD_FUELS.find((fuel) => verdicts.has(fuel));
  const marks = first === undefined ? [] : stationMarks([details], first, language);
  const place = [city?.name ?? '', countyOf(county, city?.name ?? '', language)].filter((part) => part !== '');
  return {
    ...previewOfToday(data, language),
    path: routePath('station', language, { station: slug }),
    kicker: station.name ?? station.network.name,
    subject: station.address === '' ? (city?.name ?? station.network.name) : station.address,
    note: place.join(' · '),
    figures: previewFigures(MAIN_FUELS, priceOf, language),
    ...(position === 'exact' && { map: { marks, centre: { lat: station.lat, lng: station.lng }, zoom: ZOOM } }),
  };
};
