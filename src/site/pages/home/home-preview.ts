/** The link preview of the home page, and the one of all pages without a figure of their own. */
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES } from '../../../domain/pages/routes.ts';
import { counted, STATIONS } from '../../html/counted.ts';
import { COUNTRY } from '../../parts/breadcrumb.ts';
import { MAIN_FUELS } from '../../parts/fuel-words.ts';
import { figuresWithTrend, PREVIEW_TEXTS, type PreviewMaker, previewOfToday } from '../../parts/preview-parts.ts';
import type { LinkPreview } from '../../previews/link-preview.ts';
import { TEXTS } from './home-texts.ts';

/** The means of the country and how they moved. */
export const homePreview: PreviewMaker = ({ language, data }) => {
  const { snapshot } = data;
  return {
    ...previewOfToday(data, language),
    path: ROUTES.home[language],
    kicker: PREVIEW_TEXTS.mean[language],
    subject: COUNTRY[language],
    note: counted(snapshot.counts.stationsWithPrice, STATIONS, language),
    figures: figuresWithTrend(MAIN_FUELS, (fuel) => snapshot.national[fuel].mean, snapshot, 'national', language),
  };
};

/** Where the general picture is. */
const GENERAL_PATH: Readonly<Record<Language, string>> = { ro: '/pompa', en: '/en/pompa' };

/** Has no figure, so that it changes with nothing. */
export function generalPreview(language: Language): LinkPreview {
  return {
    language,
    path: GENERAL_PATH[language],
    kicker: COUNTRY[language],
    subject: TEXTS.heading[language],
    note: TEXTS.previewNote[language],
    figures: [],
    map: { marks: [], bounds: WHOLE_COUNTRY },
    day: '',
    simulated: false,
  };
}

const WHOLE_COUNTRY = { west: 20.2, south: 43.6, east: 29.7, north: 48.3 };
