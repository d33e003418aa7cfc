/** The files of open data, streamed from disk: no key and no limit of requests, but a bounded number at once. */
import type { FileHandle } from 'node:fs/promises';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { ReleaseSlot } from '../../concurrency/fair-semaphore.ts';
import { MESSAGES } from '../contract/messages.ts';
import { type ByteRange, byteRange, isUnchanged, mayContinue } from '../request/byte-range.ts';
import type { Caller } from '../request/caller.ts';
import { decodePath, splitTarget } from '../request/request-target.ts';
import { LICENCE_AND_NOSNIFF_HEADERS } from '../response/answer.ts';
import { problem } from '../response/problem.ts';
import { sendAnswer, sendProblem } from './reply.ts';
import { answerWithPage, type SiteRoutesDependencies } from './site-routes.ts';

/** A file that is open, with what is known of its bytes. The reader closes it. */
export type OpenedDump = {
  readonly handle: FileHandle;
  readonly size: number;
  /** Epoch ms. */
  readonly modifiedAt: number;
  readonly entityTag: string;
  readonly contentType: string;
  /** Whether it never changes again. */
  readonly isFinal: boolean;
};

export type DumpLookup = {
  /** Opens the file with this name below `/date/v1/`; `null` = there is none. */
  readonly open: (name: string) => Promise<OpenedDump | null>;
  /** Resolves with what ends a download once the client may begin it; `null` = too many wait, or it has gone. */
  readonly takeTurn: (client: string, gone: AbortSignal) => Promise<ReleaseSlot | null>;
};

export type DumpRoutesDependencies = SiteRoutesDependencies & {
  /** `null` = this service publishes none. */
  readonly dumps: DumpLookup | null;
  readonly clientOf: (caller: Caller) => string;
};

const DUMP_PREFIX = '/date/v1/';
/** What a client that was refused waits. */
const RETRY_SECONDS = 5;
const CACHED = { final: 'public, max-age=31536000, immutable', current: 'public, max-age=300' };
const ALLOWED_HEADERS = 'Range, If-Range, If-None-Match, If-Modified-Since';
const EXPOSED_HEADERS = 'Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Link, Retry-After';

/** Answers GET, HEAD and OPTIONS below the folder; a name without a file is a page or none. */
export function dumpRoutes(dependencies: DumpRoutesDependencies): FastifyPluginCallback {
  return (app, _, done) => {
    app.get(`${DUMP_PREFIX}*`, async (request, reply) => {
      const file = await dependencies.dumps?.open(nameOf(request));
      if (file === null || file === undefined) return sendAnswer(request, reply, answerWithPage(request, dependencies));
      await sendFile(request, reply, file, dependencies).catch(async (error) => {
        await file.handle.close();
        throw error;
      });
      return reply;
    });
    app.options(`${DUMP_PREFIX}*`, (_request, reply) => {
      const methods = 'GET, HEAD, OPTIONS';
      reply.headers({
        ...{ Allow: methods, 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': methods },
        ...{ 'Access-Control-Allow-Headers': ALLOWED_HEADERS, 'Access-Control-Max-Age': '86400' },
      });
      return reply.code(204).send();
    });
    done();
  };
}

/** Some clients encode the equals sign of `an=2026`. */
function nameOf({ url }: FastifyRequest): string {
  return decodePath(splitTarget(url).path).slice(DUMP_PREFIX.length).replaceAll(/%3d/gi, '=');
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenedDump,
  dependencies: DumpRoutesDependencies,
): Promise<void> {
  const { headers } = request;
  const { size, handle } = file;
  const asked = mayContinue(headers['if-range'] as string | undefined, file) ? byteRange(headers.range, size) : null;
  if (isUnchanged(headers, file)) return sendWithoutBody(reply, file, 304);
  if (asked === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${size}`);
    return sendWithoutBody(reply, file, 416);
  }
  const range: ByteRange = asked ?? { first: 0, last: size - 1 };
  const status = asked === null ? 200 : 206;
  reply.header('Content-Length', range.last - range.first + 1);
  if (asked !== null) reply.header('Content-Range', `bytes ${range.first}-${range.last}/${size}`);
  if (request.method === 'HEAD' || size === 0) return sendWithoutBody(reply, file, status);
  const release = await turnOf(request, dependencies);
  if (release === null) {
    await handle.close();
    reply.removeHeader('Content-Length').removeHeader('Content-Range');
    const busy = ['Retry-After', String(RETRY_SECONDS)];
    return sendProblem(request, reply, problem(503, MESSAGES.tooManyDownloads, busy));
  }
  const stream = handle.createReadStream({ start: range.first, end: range.last });
  stream.once('close', release);
  withHeaders(reply, file, status).send(stream);
}

async function turnOf({ headers, socket: peer }: FastifyRequest, { dumps, clientOf }: DumpRoutesDependencies) {
  const closed = new AbortController();
  const leave = () => closed.abort();
  peer.once('close', leave);
  try {
    return (await dumps?.takeTurn(clientOf({ headers, peer }), closed.signal)) ?? null;
  } finally {
    peer.off('close', leave);
  }
}

async function sendWithoutBody(reply: FastifyReply, file: OpenedDump, status: number): Promise<void> {
  await file.handle.close();
  withHeaders(reply, file, status).send();
}

function withHeaders(reply: FastifyReply, file: OpenedDump, status: number): FastifyReply {
  const { entityTag, modifiedAt, contentType, isFinal } = file;
  const [link, licence, sniff, never] = LICENCE_AND_NOSNIFF_HEADERS as [string, string, string, string];
  return reply.code(status).headers({
    ...(status !== 304 && status !== 416 && { 'Content-Type': contentType }),
    ...{ 'Accept-Ranges': 'bytes', ETag: entityTag, 'Last-Modified': new Date(modifiedAt).toUTCString() },
    'Cache-Control': isFinal ? CACHED.final : CACHED.current,
    ...{ [link]: licence, [sniff]: never },
    ...{ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS },
  });
}
