/** The pages of the site as a Fastify plugin. */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import type { SiteLimit } from '../access/site-limit.ts';
import { corsAllowed } from '../request/cors.ts';
import { decodePath, splitTarget } from '../request/request-target.ts';
import type { Answer } from '../response/answer.ts';
import { methodNotAllowed, problemAnswer } from '../response/problem.ts';
import { pageAnswer, type SitePage, type SitePageLookup, tooManyPagesAnswer } from '../response/site-pages.ts';
import { sendAnswer } from './reply.ts';

export type SiteRoutesDependencies = { readonly site: SitePageLookup; readonly siteLimit: SiteLimit };

/** Answers every GET and HEAD that no other route matches. */
export function siteRoutes(dependencies: SiteRoutesDependencies): FastifyPluginCallback {
  return (app, _, done) => {
    app.get('/*', (request, reply) => sendAnswer(request, reply, answerWithPage(request, dependencies)));
    done();
  };
}

/** The page at the path of a request, or the page that says that there is none. */
export function answerWithPage(request: FastifyRequest, dependencies: SiteRoutesDependencies): Promise<Answer> {
  return withinLimit(request, dependencies, (page) => pageAnswer(page, request.headers['if-none-match']));
}

/** Refuses any other method: 405 where there is a page, else the 404 page. */
export function refuseOnPage(request: FastifyRequest, dependencies: SiteRoutesDependencies): Promise<Answer> {
  const { method, url } = request;
  return withinLimit(request, dependencies, (page) => {
    if (page === undefined || page.status === 404) return pageAnswer(page);
    return problemAnswer(methodNotAllowed('GET, HEAD'), corsAllowed(method, url));
  });
}

/** Reads the page within the limit of its reader, and answers with it. */
async function withinLimit(
  { url, headers, socket: peer }: FastifyRequest,
  { site, siteLimit }: SiteRoutesDependencies,
  answerWith: (page: SitePage | undefined) => Answer,
): Promise<Answer> {
  const { path, query } = splitTarget(url);
  const caller = { headers, peer };
  const waitMs = siteLimit.waitMsOf(caller, path);
  if (waitMs > 0) return tooManyPagesAnswer(site, path, waitMs);
  const closed = new AbortController();
  const leave = () => closed.abort();
  peer.once('close', leave);
  try {
    return answerWith(await site(decodePath(path), new URLSearchParams(query), { ...caller, gone: closed.signal }));
  } finally {
    peer.off('close', leave);
  }
}
