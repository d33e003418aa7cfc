/** The addresses to which forms of our own pages post, as a Fastify plugin: each is answered with a page. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Language, LocalizedText } from '../../domain/localized-text.ts';
import type { Caller } from '../request/caller.ts';
import { wholeSeconds } from '../response/refusals.ts';
import { pageAnswer, type SitePage } from '../response/site-pages.ts';
import { acceptForms, type PostedBody, type PostedFormDependencies, postedFormOptions } from './posted-form.ts';
import { sendAnswer } from './reply.ts';

/** A form as posted. */
type PostedForm = {
  readonly body: PostedBody;
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

type FormDependencies = PostedFormDependencies & {
  /** The client that limits are counted for. */
  readonly clientOf: (caller: Caller) => string;
};

/** Accepts the forms, each at its address in both languages. */
export function formRoutes(targets: readonly FormTarget[], dependencies: FormDependencies): FastifyPluginCallback {
  const { clientOf } = dependencies;
  return (app, _, done) => {
    acceptForms(app);
    for (const { path, answer } of targets) {
      for (const language of ['ro', 'en'] as const) {
        const reply = async (request: FastifyRequest, to: FastifyReply, body: PostedBody) => {
          const { headers, socket: peer, params } = request;
          const { station = '' } = params as { readonly station?: string };
          const { page, waitMs } = await answer({ body, language, station, client: clientOf({ headers, peer }) });
          const extraHeaders = waitMs === undefined ? [] : ['Retry-After', String(wholeSeconds(waitMs))];
          await sendAnswer(request, to, { ...pageAnswer(page), extraHeaders });
        };
        app.post(path[language], postedFormOptions(dependencies, reply));
      }
    }
    done();
  };
}
