/** How forms of our own pages are read: within the limit of pages, bounded, and from no other site. */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { SiteLimit } from '../access/site-limit.ts';
import { isFromOwnPage } from '../request/own-page.ts';
import { splitTarget } from '../request/request-target.ts';
import { type SitePageLookup, tooManyPagesAnswer } from '../response/site-pages.ts';
import { limitChunks } from './body-chunks.ts';
import { frameworkProblem } from './framework-problem.ts';
import { sendAnswer } from './reply.ts';

/** The body of a form, or why none is read: the form is of another site, too large, or no form at all. */
export type PostedBody = Buffer | 'other site' | 'too large' | 'malformed';

export type PostedFormDependencies = {
  readonly publicUrl: () => string;
  readonly site: SitePageLookup;
  /** A posted form counts as a page, whatever comes of it. */
  readonly siteLimit: SiteLimit;
};

type Answerer = (request: FastifyRequest, reply: FastifyReply, body: PostedBody) => Promise<void>;

const MULTIPART_TYPE = /^multipart\/form-data\s*(;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Reads every body as bytes. */
export function acceptForms(app: FastifyInstance): void {
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
}

/** Refuses a client that has read too many pages, before a body is read. */
export function withinPageLimit({ site, siteLimit }: PostedFormDependencies) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const { path } = splitTarget(request.url);
    const waitMs = siteLimit.waitMsOf({ headers: request.headers, peer: request.socket }, path);
    if (waitMs === 0) return;
    // The body is not read.
    reply.header('Connection', 'close');
    await sendAnswer(request, reply, tooManyPagesAnswer(site, path, waitMs));
    return reply;
  };
}

/** The options of a route that a form posts to; `answer` sends its page. */
export function postedFormOptions(
  dependencies: PostedFormDependencies,
  answer: Answerer,
  { acceptsOtherSites = false }: { readonly acceptsOtherSites?: boolean } = {},
): RouteShorthandOptions & { handler: (request: FastifyRequest, reply: FastifyReply) => Promise<void> } {
  return {
    onRequest: withinPageLimit(dependencies),
    preParsing: limitChunks,
    errorHandler: (error, request, reply) => {
      const problem = frameworkProblem(error);
      if (problem === null) throw error;
      // The rest of the body is not read.
      reply.header('Connection', 'close');
      return answer(request, reply, problem.status === 413 ? 'too large' : 'malformed');
    },
    handler: (request, reply) => answer(request, reply, bodyOf(request, acceptsOtherSites, dependencies.publicUrl())),
  };
}

function bodyOf({ headers, body }: FastifyRequest, acceptsOtherSites: boolean, publicUrl: string): PostedBody {
  if (!acceptsOtherSites && !isFromOwnPage(headers, publicUrl)) return 'other site';
  const type = headers['content-type'] ?? '';
  // RFC 8058: such a form says nothing that its address does not say.
  if (acceptsOtherSites && MULTIPART_TYPE.test(type)) return Buffer.alloc(0);
  if (!FORM_TYPE.test(type)) return 'malformed';
  return (body as Buffer | undefined) ?? Buffer.alloc(0);
}
