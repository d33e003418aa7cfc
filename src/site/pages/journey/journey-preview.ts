/** The link preview of a journey: its ends, with the lowest price of each. No route is planned for it. */
import { routePath } from '../../../domain/pages/routes.ts';
import { formatRon } from '../../html/formats.ts';
import { boundsOf } from '../../map/static-map.ts';
import { fuelName } from '../../parts/fuel-words.ts';
import { PREVIEW_TEXTS, type PreviewMaker, previewOfToday } from '../../parts/preview-parts.ts';
import { cityMarks } from '../../parts/station-map.ts';
import { TEXTS } from './journey-texts.ts';

/** Petrol, as a journey without a choice. */
export const journeyPreview: PreviewMaker = ({ language, parameters, data }) => {
  const { gazetteer, snapshot } = data;
  const [from, to] = [parameters.from, parameters.to].map((slug) => gazetteer.localityBySlug(slug ?? ''));
  if (from === undefined || to === undefined || from === to) return null;
  const ends = [from, to].flatMap(({ slug }) => snapshot.cities.find((city) => city.slug === slug) ?? []);
  const petrol = fuelName('petrol', language);
  const bounds = boundsOf([from, to]);
  return {
    ...previewOfToday(data, language),
    path: routePath('journeyBetween', language, { from: from.slug, to: to.slug }),
    kicker: TEXTS.name[language],
    subject: `${from.name} – ${to.name}`,
    note: '',
    figures: [from, to].flatMap(({ name, slug }) => {
      const price = ends.find((city) => city.slug === slug)?.prices.petrol ?? null;
      return price === null
        ? []
        : [
            {
              name: `${petrol} ${PREVIEW_TEXTS.in[language]} ${name}`,
              prefix: PREVIEW_TEXTS.from[language],
              price: formatRon(price, language),
            },
          ];
    }),
    ...(bounds && { map: { marks: cityMarks(ends, 'petrol', gazetteer, language), bounds } }),
  };
};
