/** The pages and forms of selling, as a Fastify plugin. None is cached, and all count as pages of their client. */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { RefusedView } from '../../domain/billing/billing-view.ts';
import type { Language } from '../../domain/localized-text.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import {
  type BillingCookies,
  type BillingReply,
  type BillingRequest,
  type BillingRoute,
  COOKIE_NAMES,
  type CookieName,
  type SetCookie,
} from '../billing/billing-route.ts';
import { Body } from '../encoding/body.ts';
import type { Caller } from '../request/caller.ts';
import { cookieValue } from '../request/cookies.ts';
import { formFields } from '../request/form-fields.ts';
import { splitTarget } from '../request/request-target.ts';
import type { Answer } from '../response/answer.ts';
import { wholeSeconds } from '../response/refusals.ts';
import { type BillingPage, pageAnswer } from '../response/site-pages.ts';
import type { ServedSnapshot } from './fast-path/prerendered-responses.ts';
import {
  acceptForms,
  type PostedBody,
  type PostedFormDependencies,
  postedFormOptions,
  withinPageLimit,
} from './posted-form.ts';
import { sendAnswer } from './reply.ts';

type BillingDependencies = PostedFormDependencies & {
  readonly clientOf: (caller: Caller) => string;
  readonly served: () => ServedSnapshot;
};

/** Registers the routes; without a site that has pages for them, none. */
export function billingRoutes(
  routes: readonly BillingRoute[],
  dependencies: BillingDependencies,
): FastifyPluginCallback {
  const { billingPage } = dependencies.site;
  return (app, _, done) => {
    acceptForms(app);
    if (billingPage !== undefined)
      for (const route of routes)
        for (const language of ['ro', 'en'] as const) {
          const reply = async (request: FastifyRequest, to: FastifyReply, body: PostedBody | null) => {
            const answered = await answerOf(route, request, body, language);
            await sendAnswer(request, to, replyAnswer(answered, billingPage));
          };
          if (route.method === 'POST') app.post(route.path[language], postedFormOptions(dependencies, reply, route));
          else
            app.get(route.path[language], {
              onRequest: withinPageLimit(dependencies),
              handler: (request, to) => reply(request, to, null),
            });
        }
    done();
  };

  async function answerOf(
    { answer }: BillingRoute,
    { url, headers, socket: peer }: FastifyRequest,
    body: PostedBody | null,
    language: Language,
  ): Promise<BillingReply> {
    const refused = (why: RefusedView['why']): BillingReply => ({ view: { page: 'refused', language, why } });
    if (typeof body === 'string') return refused(body);
    const fields = body === null ? {} : formFields(body);
    if (fields === null) return refused('malformed');
    const request: BillingRequest = {
      ...{ language, fields, cookies: cookiesOf(headers.cookie) },
      query: new URLSearchParams(splitTarget(url).query),
      client: dependencies.clientOf({ headers, peer }),
      rendered: dependencies.served().rendered,
    };
    try {
      return await answer(request);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return refused('unavailable');
      throw error;
    }
  }

  function cookiesOf(header: string | undefined): BillingCookies {
    const values = COOKIE_NAMES.map((name) => [name, cookieValue(header, cookieName(name))] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  function replyAnswer(reply: BillingReply, page: BillingPage): Answer {
    const { cookies = [], waitMs } = reply;
    const extraHeaders = cookies.flatMap((cookie) => ['Set-Cookie', cookieHeader(cookie)]);
    if (waitMs !== undefined) extraHeaders.push('Retry-After', String(wholeSeconds(waitMs)));
    if ('download' in reply) {
      const { fileName, text } = reply.download;
      const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];
      return {
        status: 200,
        headers: [...headers, 'Content-Disposition', `attachment; filename="${fileName}"`],
        extraHeaders,
        body: Body.uncompressed(Buffer.from(text)),
      };
    }
    if ('view' in reply) return { ...pageAnswer(page(reply.view)), extraHeaders };
    return {
      status: 303,
      headers: ['Location', reply.redirectTo, 'Cache-Control', 'no-store'],
      extraHeaders,
      body: null,
    };
  }

  /** On https no other host may set it. */
  function cookieName(name: CookieName): string {
    return isSecure() ? `__Host-pompa-${name}` : `pompa-${name}`;
  }

  function cookieHeader({ name, value, maxAgeSeconds }: SetCookie): string {
    const age = value === null ? 0 : maxAgeSeconds;
    const secure = isSecure() ? '; Secure' : '';
    return `${cookieName(name)}=${value ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
  }

  function isSecure(): boolean {
    return dependencies.publicUrl().startsWith('https:');
  }
}
