/** The link previews of today and of an earlier day: the means of the country. */
import { dayText } from '../../../domain/days.ts';
import type { Language } from '../../../domain/localized-text.ts';
import { ROUTES, routePath } from '../../../domain/pages/routes.ts';
import type { SiteData } from '../../frame/site-data.ts';
import { formatDay } from '../../html/formats.ts';
import { COUNTRY } from '../../parts/breadcrumb.ts';
import { MAIN_FUELS } from '../../parts/fuel-words.ts';
import { PREVIEW_TEXTS, type PreviewMaker, previewFigures, previewOfToday } from '../../parts/preview-parts.ts';
import type { LinkPreview } from '../../previews/link-preview.ts';
import { type Day, dayOf } from './day-data.ts';
import { parseDay } from './parse-day.ts';

/** Today; without a price if none is known yet. */
export const todayPreview: PreviewMaker = ({ language, data }) =>
  previewOf(dayOf(data.snapshot.today, data.snapshot), data.snapshot.today, ROUTES.today[language], data, language);

/** A day with figures, today excepted. */
export const dayPreview: PreviewMaker = ({ language, parameters, data }) => {
  const number = parseDay(parameters.day ?? '');
  const day = number === null ? null : dayOf(number, data.snapshot);
  if (number === null || day === null || day.isToday) return null;
  return previewOf(day, number, routePath('day', language, { day: dayText(number) }), data, language);
};

function previewOf(day: Day | null, number: Day['day'], path: string, data: SiteData, language: Language): LinkPreview {
  const means = new Map(day?.fuels.map(({ fuel, statistics }) => [fuel, statistics.mean]));
  return {
    ...previewOfToday(data, language),
    path,
    kicker: PREVIEW_TEXTS.mean[language],
    subject: formatDay(number, language),
    note: COUNTRY[language],
    figures: previewFigures(MAIN_FUELS, (fuel) => means.get(fuel), language),
    day: formatDay(number, language),
  };
}
