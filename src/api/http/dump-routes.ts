/** The files of open data, streamed from disk: no key and no limit of requests, but a bounded number at once. */

import type { FileHandle } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { ReleaseSlot } from '../../concurrency/fair-semaphore.ts';
import { DUMP_PATH } from '../../domain/pages/dump-path.ts';
import { MESSAGES } from '../contract/messages.ts';
import { type ByteRange, byteRange, isUnchanged, mayContinue } from '../request/byte-range.ts';
import type { Caller } from '../request/caller.ts';
import { decodePath, splitTarget } from '../request/request-target.ts';
import { type Answer, LICENCE_AND_NOSNIFF_HEADERS } from '../response/answer.ts';
import { DUMP_PAGE_ANSWER, DUMPS_PENDING_ANSWER, NO_SUCH_FILE_ANSWER } from '../response/dump-notices.ts';
import { methodNotAllowed, problem } from '../response/problem.ts';
import { sendAnswer, sendProblem } from './reply.ts';
import { answerWithPage, refuseOnPage, type SiteRoutesDependencies } from './site-routes.ts';

/** A file that is open, with what is known of its bytes. Whoever asked for it closes it. */
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
  /** Whether there are files: not before the first dump is made, nor while all are made anew. */
  readonly isPublished: () => boolean;
  /** Whether a file with this name below `/date/v1/` is published. */
  readonly has: (name: string) => boolean;
  /** Opens a published file; `null` = it is not there. */
  readonly open: (name: string) => Promise<OpenedDump | null>;
  /** Resolves with what ends a download once the client may begin it; `null` = too many wait, or it has gone. */
  readonly takeTurn: (client: string, gone: AbortSignal) => Promise<ReleaseSlot | null>;
};

export type DumpRoutesDependencies = SiteRoutesDependencies & {
  /** `null` = this service publishes none. */
  readonly dumps: DumpLookup | null;
  readonly clientOf: (caller: Caller) => string;
};

const METHODS = 'GET, HEAD, OPTIONS';
/** How long a download waits for its turn. */
const DOWNLOAD_WAIT_MS = 10_000;
/** What a client that was refused waits. */
const RETRY_SECONDS = 5;
const CACHED = { final: 'public, max-age=31536000, immutable', current: 'public, max-age=300' };
const ALLOWED_HEADERS = 'Range, If-Range, If-None-Match, If-Modified-Since';
const EXPOSED_HEADERS = 'Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, Link, Retry-After';

/** Answers GET, HEAD and OPTIONS below the folder, whose own address leads to its page. */
export function dumpRoutes(dependencies: DumpRoutesDependencies): FastifyPluginCallback {
  const url = `${DUMP_PATH}*`;
  return (app, _, done) => {
    for (const folder of [DUMP_PATH, DUMP_PATH.slice(0, -1)])
      app.get(folder, (request, reply) => sendAnswer(request, reply, DUMP_PAGE_ANSWER));
    app.route({
      ...{ method: ['GET', 'HEAD'], url },
      handler: (request, reply) => answerWithFile(request, reply, dependencies),
    });
    app.options(url, (_request, reply) => {
      reply.headers({
        ...{ Allow: METHODS, 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': METHODS },
        ...{ 'Access-Control-Allow-Headers': ALLOWED_HEADERS, 'Access-Control-Max-Age': '86400' },
      });
      return reply.code(204).send();
    });
    app.route({
      ...{ method: ['DELETE', 'PATCH', 'POST', 'PUT'], url },
      // Before a body is read that nobody needs.
      onRequest: (request, reply) => refuse(request, reply, dependencies),
      handler: () => undefined,
    });
    done();
  };
}

/** Refuses any method that would change a file. */
async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: DumpRoutesDependencies,
): Promise<void> {
  if (dependencies.dumps?.has(nameOf(request))) sendProblem(request, reply, methodNotAllowed(METHODS));
  else await sendAnswer(request, reply, fileNotice(await refuseOnPage(request, dependencies), dependencies));
}

/** A file is opened only in the turn of its reader: who waits holds none. */
async function answerWithFile(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: DumpRoutesDependencies,
): Promise<void> {
  const { dumps } = dependencies;
  const name = nameOf(request);
  if (dumps === null || !dumps.has(name)) return answerWithoutFile(request, reply, dependencies);
  const release = request.method === 'HEAD' ? () => undefined : await turnOf(request, dumps, dependencies.clientOf);
  if (release === null) {
    sendProblem(request, reply, {
      ...problem(503, MESSAGES.tooManyDownloads, ['Retry-After', String(RETRY_SECONDS)]),
      kind: 'downloads',
    });
    return;
  }
  try {
    const file = await dumps.open(name);
    // Withdrawn a moment ago.
    if (file === null) await answerWithoutFile(request, reply, dependencies);
    else await sendFile(request, reply, file).finally(() => file.handle.close());
  } finally {
    release();
  }
}

/** The small tables for spreadsheets are made with the pages. */
async function answerWithoutFile(
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: DumpRoutesDependencies,
): Promise<void> {
  await sendAnswer(request, reply, fileNotice(await answerWithPage(request, dependencies), dependencies));
}

/** Whoever asks for a file is a program: a sentence says more than the page that says that there is none. */
function fileNotice(answer: Answer, { dumps }: DumpRoutesDependencies): Answer {
  if (answer.status !== 404) return answer;
  return dumps === null || dumps.isPublished() ? NO_SUCH_FILE_ANSWER : DUMPS_PENDING_ANSWER;
}

/** Some clients encode the equals sign of `an=2026`. */
function nameOf({ url }: FastifyRequest): string {
  return decodePath(splitTarget(url).path).slice(DUMP_PATH.length).replaceAll(/%3d/gi, '=');
}

/** `null` = too many wait, or the client waited for too long or has gone. */
async function turnOf(
  { headers, socket: peer }: FastifyRequest,
  dumps: DumpLookup,
  clientOf: DumpRoutesDependencies['clientOf'],
): Promise<ReleaseSlot | null> {
  const closed = new AbortController();
  const leave = () => closed.abort();
  peer.once('close', leave);
  const signal = AbortSignal.any([closed.signal, AbortSignal.timeout(DOWNLOAD_WAIT_MS)]);
  return dumps.takeTurn(clientOf({ headers, peer }), signal).finally(() => peer.off('close', leave));
}

/** Answers with the file or a part of it; resolves when the client has all of it, or has gone. */
async function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenedDump): Promise<void> {
  const { headers, method } = request;
  const { size } = file;
  if (isUnchanged(headers, file)) return sendHead(reply, 304, headersOf(file));
  // Ranges mean something to GET only (RFC 9110, 14.2).
  const mayBePart = method === 'GET' && mayContinue(headers['if-range'] as string | undefined, file);
  const asked = mayBePart ? byteRange(headers.range, size) : null;
  if (asked === 'unsatisfiable')
    return sendHead(reply, 416, {
      ...headersOf(file),
      'Cache-Control': 'no-store',
      'Content-Range': `bytes */${size}`,
      'Content-Length': 0,
    });
  const range: ByteRange = asked ?? { first: 0, last: size - 1 };
  const status = asked === null ? 200 : 206;
  const head = {
    ...headersOf(file),
    ...{ 'Content-Type': file.contentType, 'Content-Length': range.last - range.first + 1 },
    ...(asked !== null && { 'Content-Range': `bytes ${range.first}-${range.last}/${size}` }),
  };
  if (method === 'HEAD' || size === 0) return sendHead(reply, status, head);
  reply.hijack();
  reply.raw.writeHead(status, head);
  // Whoever opened the file closes it.
  const bytes = file.handle.createReadStream({ start: range.first, end: range.last, autoClose: false });
  // A client that has gone is no failure.
  await pipeline(bytes, reply.raw).catch(() => reply.raw.destroy());
}

/** Not through Fastify, which would set the length of what it does not send. */
function sendHead(reply: FastifyReply, status: number, headers: OutgoingHttpHeaders): void {
  reply.hijack();
  reply.raw.writeHead(status, headers).end();
}

function headersOf({ entityTag, modifiedAt, isFinal }: OpenedDump): OutgoingHttpHeaders {
  const [link, licence, sniff, never] = LICENCE_AND_NOSNIFF_HEADERS as [string, string, string, string];
  return {
    ...{ 'Accept-Ranges': 'bytes', ETag: entityTag, 'Last-Modified': new Date(modifiedAt).toUTCString() },
    'Cache-Control': isFinal ? CACHED.final : CACHED.current,
    ...{ [link]: licence, [sniff]: never },
    ...{ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS },
  };
}
