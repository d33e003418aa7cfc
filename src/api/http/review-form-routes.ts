/** The address to which the form of a station's page posts a review, as a Fastify plugin: it answers with a page. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { REVIEW_FORM_PATH } from '../../domain/pages/routes.ts';
import { type PostedForm, postReviewForm } from '../endpoints/review-form.ts';
import type { ReviewService } from '../endpoints/review-submission.ts';
import type { Caller } from '../request/caller.ts';
import { isFromOwnPage } from '../request/own-page.ts';
import { reviewsLimited } from '../response/refusals.ts';
import { pageAnswer, type SitePageLookup } from '../response/site-pages.ts';
import { limitChunks } from './body-chunks.ts';
import type { ServedSnapshot } from './fast-path/prerendered-responses.ts';
import { frameworkProblem } from './framework-problem.ts';
import { sendAnswer } from './reply.ts';

type ReviewFormDependencies = {
  readonly reviews: Pick<ReviewService, 'submit'>;
  /** The client that limits are counted for. */
  readonly clientOf: (caller: Caller) => string;
  readonly served: () => ServedSnapshot;
  readonly publicUrl: () => string;
  readonly site: SitePageLookup;
};

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Accepts posted forms in both languages; without a page for the outcome, there is no such path. */
export function reviewFormRoutes(dependencies: ReviewFormDependencies): FastifyPluginCallback {
  const { reviews, clientOf, served, publicUrl, site } = dependencies;
  return (app, _, done) => {
    const { reviewOutcome } = site;
    if (reviewOutcome === undefined) return done();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    for (const language of ['ro', 'en'] as const) {
      const answerTo = (request: FastifyRequest, reply: FastifyReply, posted: PostedForm) => {
        const { outcome, slug, waitMs } = posted;
        const extraHeaders = waitMs === undefined ? [] : (reviewsLimited(waitMs).headers ?? []);
        return sendAnswer(request, reply, { ...pageAnswer(reviewOutcome({ outcome, language, slug })), extraHeaders });
      };
      app.post(REVIEW_FORM_PATH[language], {
        preParsing: limitChunks,
        errorHandler: (error, request, reply) => {
          if (frameworkProblem(error) === null) throw error;
          // The rest of the body is not read.
          reply.header('Connection', 'close');
          return answerTo(request, reply, { outcome: 'malformed', slug: '' });
        },
        handler: async (request, reply) => {
          await answerTo(request, reply, await posted(request));
        },
      });
    }
    done();
  };

  async function posted({ headers, socket: peer, body }: FastifyRequest): Promise<PostedForm> {
    if (!isFromOwnPage(headers, publicUrl())) return { outcome: 'other site', slug: '' };
    if (!FORM_TYPE.test(headers['content-type'] ?? '')) return { outcome: 'malformed', slug: '' };
    const { rendered } = served();
    return postReviewForm((body as Buffer | undefined) ?? Buffer.alloc(0), {
      submit: reviews.submit,
      stationById: (id) => rendered.station(id),
      client: clientOf({ headers, peer }),
    });
  }
}
