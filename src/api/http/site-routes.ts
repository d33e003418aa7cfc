/** The pages of the site as a Fastify plugin. Plugins for cookies, forms or sessions of pages belong here. */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { corsAllowed } from '../request/cors.ts';
import { decodePath, splitTarget } from '../request/request-target.ts';
import type { Answer } from '../response/answer.ts';
import { methodNotAllowed, problemAnswer } from '../response/problem.ts';
import { type PageResponse, pageAnswer, type SiteHandler } from '../response/site-pages.ts';
import { sendAnswer } from './reply.ts';

/** Answers every GET and HEAD that no other route matches. */
export function siteRoutes(site: SiteHandler): FastifyPluginCallback {
  return (app, _, done) => {
    app.get('/*', (request, reply) => sendAnswer(request, reply, readPage(request, site).then(pageAnswer)));
    done();
  };
}

/** Refuses any other method: 405 where there is a page, else the 404 page. */
export async function refuseOnPage(request: FastifyRequest, site: SiteHandler): Promise<Answer> {
  const page = await readPage(request, site);
  const { method, url } = request;
  return page ? problemAnswer(methodNotAllowed('GET, HEAD'), corsAllowed(method, url)) : pageAnswer();
}

async function readPage({ url, headers }: FastifyRequest, site: SiteHandler): Promise<PageResponse | undefined> {
  const { path, query } = splitTarget(url);
  return site(decodePath(path), new URLSearchParams(query), headers['accept-language']);
}
