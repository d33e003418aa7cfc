/** The forms of the site, and what answers each: a posted review. */
import { REVIEW_FORM_PATH } from '../../domain/pages/routes.ts';
import { postReviewForm } from '../endpoints/review-form.ts';
import type { ReviewService } from '../endpoints/review-submission.ts';
import type { SitePageLookup } from '../response/site-pages.ts';
import type { ServedSnapshot } from './fast-path/prerendered-responses.ts';
import type { FormTarget } from './form-routes.ts';

type FormTargetDependencies = {
  readonly reviews: Pick<ReviewService, 'submit'>;
  readonly served: () => ServedSnapshot;
  readonly site: SitePageLookup;
};

/** The targets; a form without a page for its outcome has none. */
export function formTargets({ reviews, served, site }: FormTargetDependencies): FormTarget[] {
  const { reviewOutcome } = site;
  const targets: FormTarget[] = [];
  if (reviewOutcome !== undefined)
    targets.push({
      path: REVIEW_FORM_PATH,
      async answer({ body, language, client }) {
        if (typeof body === 'string') {
          const outcome = body === 'other site' ? body : 'malformed';
          return { page: reviewOutcome({ outcome, language, slug: '' }) };
        }
        const { rendered } = served();
        const stationById = (id: string) => rendered.station(id);
        const { outcome, slug, waitMs } = await postReviewForm(body, { submit: reviews.submit, stationById, client });
        return { page: reviewOutcome({ outcome, language, slug }), waitMs };
      },
    });
  return targets;
}
