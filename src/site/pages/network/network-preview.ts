/** The link preview of a network: its means and how they moved. */
import { routePath } from '../../../domain/pages/routes.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { stationLookup } from '../../lookup/station-prices.ts';
import { MAIN_FUELS } from '../../parts/fuel-words.ts';
import { figuresWithTrend, PREVIEW_TEXTS, type PreviewMaker, previewOfToday } from '../../parts/preview-parts.ts';

/** A network with a station. */
export const networkPreview: PreviewMaker = ({ language, parameters, data }) => {
  const { snapshot } = data;
  const own = snapshot.networks.find(({ network }) => network.slug === parameters.network);
  if (own === undefined) return null;
  const { name, slug } = own.network;
  const stations = stationLookup(snapshot).byNetwork.get(slug) ?? [];
  return {
    ...previewOfToday(data, language),
    path: routePath('network', language, { network: slug }),
    kicker: PREVIEW_TEXTS.mean[language],
    subject: name,
    note: counted(stations.length, STATIONS, language),
    figures: figuresWithTrend(MAIN_FUELS, (fuel) => own.prices[fuel], snapshot, `network:${slug}`, language),
  };
};
