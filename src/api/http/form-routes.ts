/** The addresses to which forms of our own pages post, as a Fastify plugin: each is answered with a page. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { SiteLimit } from '../access/site-limit.ts';
import type { Caller } from '../request/caller.ts';
import { isFromOwnPage } from '../request/own-page.ts';
import { splitTarget } from '../request/request-target.ts';
import { wholeSeconds } from '../response/refusals.ts';
import { pageAnswer, type SitePage, type SitePageLookup, tooManyPagesAnswer } from '../response/site-pages.ts';
import { limitChunks } from './body-chunks.ts';
import { frameworkProblem } from './framework-problem.ts';
import { sendAnswer } from './reply.ts';

/** A form as posted. */
type PostedForm = {
  /** The body, or why none is read: the form is of another site, too large, or no form at all. */
  readonly body: Buffer | 'other site' | 'too large' | 'malformed';
  readonly language: Language;
  /** The segment of the path that names a station; `''` = the path has none. */
  readonly station: string;
  /** Whom limits are counted for. */
  readonly client: string;
};

export type FormTarget = {
  readonly path: LocalizedText;
  /** The page, and how long the client must wait if a limit refused it. */
  readonly answer: (posted: PostedForm) => Promise<{ readonly page: SitePage; readonly waitMs?: number | undefined }>;
};

type FormDependencies = {
  /** The client that limits are counted for. */
  readonly clientOf: (caller: Caller) => string;
  readonly publicUrl: () => string;
  readonly site: SitePageLookup;
  /** A posted form counts as a page, whatever comes of it. */
  readonly siteLimit: SiteLimit;
};

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Accepts the forms, each at its address in both languages. */
export function formRoutes(
  targets: readonly FormTarget[],
  { clientOf, publicUrl, site, siteLimit }: FormDependencies,
): FastifyPluginCallback {
  return (app, _, done) => {
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    for (const { path, answer } of targets) {
      for (const language of ['ro', 'en'] as const) {
        const reply = async (request: FastifyRequest, to: FastifyReply, body: PostedForm['body']) => {
          const { headers, socket: peer, params } = request;
          const { station = '' } = params as { readonly station?: string };
          const { page, waitMs } = await answer({ body, language, station, client: clientOf({ headers, peer }) });
          const extraHeaders = waitMs === undefined ? [] : ['Retry-After', String(wholeSeconds(waitMs))];
          await sendAnswer(request, to, { ...pageAnswer(page), extraHeaders });
        };
        app.post(path[language], {
          onRequest: async (request, to) => {
            const { path: address } = splitTarget(request.url);
            const waitMs = siteLimit.waitMsOf({ headers: request.headers, peer: request.socket }, address);
            if (waitMs === 0) return;
            // The body is not read.
            to.header('Connection', 'close');
            await sendAnswer(request, to, tooManyPagesAnswer(site, address, waitMs));
            return to;
          },
          preParsing: limitChunks,
          errorHandler: (error, request, to) => {
            const problem = frameworkProblem(error);
            if (problem === null) throw error;
            // The rest of the body is not read.
            to.header('Connection', 'close');
            return reply(request, to, problem.status === 413 ? 'too large' : 'malformed');
          },
          handler: (request, to) => reply(request, to, bodyOf(request)),
        });
      }
    }
    done();
  };

  function bodyOf({ headers, body }: FastifyRequest): PostedForm['body'] {
    if (!isFromOwnPage(headers, publicUrl())) return 'other site';
    if (!FORM_TYPE.test(headers['content-type'] ?? '')) return 'malformed';
    return (body as Buffer | undefined) ?? Buffer.alloc(0);
  }
}
