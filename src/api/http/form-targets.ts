/** The forms of the site, and what answers each: a posted review, a driver's report. */
import { REPORT_FORM_PATH } from '../../domain/pages/report-form.ts';
import { REVIEW_FORM_PATH } from '../../domain/pages/routes.ts';
import { postDriverReport } from '../endpoints/driver-report-form.ts';
import type { DriverReportService } from '../endpoints/driver-report-submission.ts';
import { postReviewForm } from '../endpoints/review-form.ts';
import type { ReviewService } from '../endpoints/review-submission.ts';
import type { SitePageLookup } from '../response/site-pages.ts';
import type { ServedSnapshot } from './fast-path/prerendered-responses.ts';
import type { FormTarget } from './form-routes.ts';

type FormTargetDependencies = {
  readonly reviews: Pick<ReviewService, 'submit'>;
  readonly reports: Pick<DriverReportService, 'submit' | 'ranges'>;
  readonly served: () => ServedSnapshot;
  readonly site: SitePageLookup;
};

/** The targets; a form without a page for its outcome has none. */
export function formTargets({ reviews, reports, served, site }: FormTargetDependencies): FormTarget[] {
  const { reviewOutcome, reportOutcome } = site;
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
  if (reportOutcome !== undefined)
    targets.push({
      path: REPORT_FORM_PATH,
      async answer({ body, language, client, station: slug }) {
        if (typeof body === 'string') {
          const outcome = body === 'too large' ? 'text too long' : body;
          return { page: reportOutcome({ outcome, fuel: null, language, slug }) };
        }
        const { rendered } = served();
        const { outcome, fuel, waitMs } = await postDriverReport(body, slug, { reports, rendered, client });
        return { page: reportOutcome({ outcome, fuel, language, slug }), waitMs };
      },
    });
  return targets;
}
