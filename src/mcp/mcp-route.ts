/**
 * `/mcp` as a Fastify plugin: what may post there, and how much. The first message that passes loads the library of the
 * protocol, 30 MB of memory.
 */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { SiteLimit } from '../api/access/site-limit.ts';
import { Body } from '../api/encoding/body.ts';
import { limitChunks } from '../api/http/body-chunks.ts';
import { frameworkProblem } from '../api/http/framework-problem.ts';
import { sendAnswer } from '../api/http/reply.ts';
import type { RenderedSnapshot } from '../api/rendering/rendered-snapshot.ts';
import type { Answer, HeaderList } from '../api/response/answer.ts';
import { LICENCE_AND_NOSNIFF_HEADERS, SAME_ORIGIN_JSON_HEADERS } from '../api/response/answer.ts';
import type { Log } from '../api/response/log.ts';
import { wholeSeconds } from '../api/response/refusals.ts';
import { ROUTES } from '../domain/pages/routes.ts';
import { tryParseJsonBytes } from '../json/try-parse-json.ts';
import { isAllowedSource } from './allowed-source.ts';
import { waitText } from './call/age-text.ts';
import { type McpData, ToolCall } from './call/tool-call.ts';
import type { ExchangeAnswer } from './exchange.ts';

export type McpRouteDependencies = Omit<McpData, 'publicUrl'> & {
  readonly publicUrl: () => string;
  readonly rendered: () => RenderedSnapshot;
  readonly siteLimit: SiteLimit;
  readonly version: string;
  readonly log: Log;
};

const MCP_PATH = '/mcp';
const MAX_BODY_BYTES = 64 * 1024;
/** A message holds the arguments of one tool. */
const MESSAGE_LIMITS = { depth: 16, tokens: 1_000, members: 500 };

/** Registers `/mcp`: POST answers, every other method says that only POST does. */
export function mcpRoute(dependencies: McpRouteDependencies): FastifyPluginCallback {
  return (app, _, done) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    app.post(MCP_PATH, {
      bodyLimit: MAX_BODY_BYTES,
      // Before the body is read.
      onRequest: async (request, reply) => {
        const refused = refusalOf(request, dependencies);
        if (refused !== null) await sendAnswer(request, reply.header('Connection', 'close'), refused);
      },
      preParsing: limitChunks,
      errorHandler: (error, request, reply) => {
        const known = frameworkProblem(error);
        if (known === null) throw error;
        reply.header('Connection', 'close');
        const text =
          known.status === 413
            ? `The message is too large: the limit is ${MAX_BODY_BYTES / 1024} KiB.`
            : 'The message cannot be read.';
        return sendAnswer(request, reply, errorAnswer(known.status, INVALID_REQUEST, text));
      },
      handler: (request, reply) => sendAnswer(request, reply, answerTo(request, dependencies)),
    });
    const onlyPost = async (request: FastifyRequest, reply: FastifyReply) => {
      const hint = `Only POST is answered here: this is the address of an MCP server. See ${dependencies.publicUrl()}${ROUTES.docs.en}.`;
      await sendAnswer(request, reply, errorAnswer(405, METHOD_REFUSED, hint, ['Allow', 'POST, OPTIONS']));
    };
    app.route({
      method: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'],
      url: MCP_PATH,
      onRequest: onlyPost,
      handler: () => undefined,
    });
    // No Access-Control headers: a key stays server-side, so no page of another origin may call.
    const preflight: Answer = {
      status: 204,
      headers: ['Allow', 'POST, OPTIONS', 'Cache-Control', 'no-store', ...LICENCE_AND_NOSNIFF_HEADERS],
      body: null,
    };
    app.options(
      MCP_PATH,
      { onRequest: async (request, reply) => sendAnswer(request, reply, preflight) },
      () => undefined,
    );
    done();
  };
}

/** Codes of JSON-RPC, and those that MCP servers use for refusals over HTTP. */
const [PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INTERNAL_ERROR, METHOD_REFUSED] = [
  -32_700, -32_600, -32_601, -32_603, -32_000,
];

/** Why nothing of the request is read; `null` = it is. */
function refusalOf(
  { headers, socket: peer }: FastifyRequest,
  { publicUrl, siteLimit }: McpRouteDependencies,
): Answer | null {
  if (!isAllowedSource(headers, publicUrl()))
    return errorAnswer(403, METHOD_REFUSED, 'The header Host or Origin names another site than this service.');
  const waitMs = siteLimit.waitMsOf({ headers, peer }, MCP_PATH);
  if (waitMs === 0) return null;
  const wait = wholeSeconds(waitMs);
  const words = `Too many messages from this address. ${waitText(wait)}`;
  return errorAnswer(429, METHOD_REFUSED, words, ['Retry-After', String(wait)]);
}

async function answerTo(
  { body, headers, socket: peer }: FastifyRequest,
  dependencies: McpRouteDependencies,
): Promise<Answer> {
  const message = tryParseJsonBytes((body as Buffer | undefined) ?? Buffer.alloc(0), MESSAGE_LIMITS);
  if (message === undefined)
    return errorAnswer(400, PARSE_ERROR, 'The message is not JSON in UTF-8, or has too many members.');
  // Batches were part of one early revision only. Each of a thousand would cost as much as a request.
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return errorAnswer(400, INVALID_REQUEST, 'One JSON-RPC message, an object, is expected; batches are not answered.');
  // A connection that never ends, for changes that are never told.
  if ('method' in message && message.method === 'subscriptions/listen')
    return errorAnswer(
      404,
      METHOD_NOT_FOUND,
      'This server has no subscriptions: tools and resources do not change.',
      [],
      idOf(message),
    );
  const { publicUrl, rendered, version, log, ...shared } = dependencies;
  const call = new ToolCall({ ...shared, publicUrl: publicUrl() }, { headers, peer }, rendered());
  try {
    const { answerMessage } = await import('./exchange.ts');
    return exchangeAnswer(await answerMessage({ message: message as Record<string, unknown>, call, version, log }));
  } catch (err) {
    log.error({ err }, 'a message failed');
    return errorAnswer(500, INTERNAL_ERROR, 'The service failed to answer.', [], idOf(message));
  }
}

const idOf = (message: object): string | number | null => {
  const id = 'id' in message ? message.id : null;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};

function exchangeAnswer({ status, body }: ExchangeAnswer): Answer {
  if (body === '')
    return { status, headers: ['Cache-Control', 'no-store', ...LICENCE_AND_NOSNIFF_HEADERS], body: null };
  return { status, headers: SAME_ORIGIN_JSON_HEADERS, body: Body.singleUse(body) };
}

function errorAnswer(
  status: number,
  code: number,
  message: string,
  extraHeaders: HeaderList = [],
  id: string | number | null = null,
): Answer {
  const text = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id });
  return { status, headers: SAME_ORIGIN_JSON_HEADERS, extraHeaders, body: Body.singleUse(text) };
}
