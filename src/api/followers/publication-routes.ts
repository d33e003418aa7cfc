/**
 * The publication that this process relays to its followers, as a Fastify plugin: the announcement, on request once it
 * changes, and its parts. Only for holders of the token, a bounded number at a time, and always the same bytes.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { PUBLICATION_PATH } from '../../domain/prices/publication-announcement.ts';
import { Body } from '../encoding/body.ts';
import { sendAnswer } from '../http/reply.ts';
import { watchConnection } from '../request/when-gone.ts';
import type { Answer, HeaderList } from '../response/answer.ts';
import { matchesTag } from '../response/entity-tag.ts';
import { problem, problemAnswer } from '../response/problem.ts';

/** What is relayed. */
type RelayedPublication = {
  /** The announcement as it is sent, and the SHA-256 of its bytes. */
  readonly sent: { readonly text: string; readonly digest: string };
  /** The bytes of a part; `undefined` = there is none with this digest. */
  part(digest: string): Buffer | undefined;
  /** Resolves when the announcement is another one than that with this digest; at the latest after `ms`. */
  whenChanged(digest: string | null, ms: number, gone: AbortSignal): Promise<void>;
};

export type PublicationRoutesDependencies = {
  readonly relay: RelayedPublication;
  /** The secret that followers send as a bearer token. */
  readonly token: string;
  /** How long a connection may stand still, without the wait for a change. */
  readonly stallTimeoutMs: number;
  /** Bounds for tests; `MAX_FOLLOWERS` by default. */
  readonly limits?: typeof MAX_FOLLOWERS;
};

/** Followers that wait for a change, and parts that are sent, at a time. */
const MAX_FOLLOWERS = { waiting: 1_000, receiving: 250 };
/** Longest wait for a change. */
const MAX_WAIT_SECONDS = 30;
/** When a follower that was refused comes again, seconds. */
const RETRY_SECONDS = { waiting: 10, receiving: 1 };

/** Registers the announcement and its parts. */
export function publicationRoutes(dependencies: PublicationRoutesDependencies): FastifyPluginCallback {
  const { relay, token, stallTimeoutMs, limits = MAX_FOLLOWERS } = dependencies;
  const expected = sha256(token);
  const counts = { waiting: 0, receiving: 0 };
  const mayRead = ({ headers }: FastifyRequest) => {
    const [, sent = ''] = /^Bearer +([\x21-\x7e]+)$/i.exec(headers.authorization ?? '') ?? [];
    // Of equal length, whatever was sent.
    return timingSafeEqual(sha256(sent), expected);
  };
  const announce = async (request: FastifyRequest): Promise<Answer> => {
    if (!mayRead(request)) return REFUSED;
    const known = request.headers['if-none-match'];
    const isKnown = () => matchesTag(known, tagOf(relay));
    const waitMs = 1000 * waitSecondsOf(request);
    if (waitMs > 0 && isKnown()) {
      if (counts.waiting >= limits.waiting) return tooMany('waiting');
      counts.waiting += 1;
      request.raw.socket.setTimeout(stallTimeoutMs + waitMs);
      const { gone, stop } = watchConnection({ headers: request.headers, peer: request.raw.socket });
      await relay.whenChanged(relay.sent.digest, waitMs, gone).finally(() => {
        counts.waiting -= 1;
        stop();
      });
    }
    const headers = ['ETag', tagOf(relay), ...NOT_STORED];
    if (isKnown()) return { status: 304, headers, body: null };
    const text = Body.uncompressed(Buffer.from(relay.sent.text));
    return { status: 200, headers: [...headers, 'Content-Type', 'application/json; charset=utf-8'], body: text };
  };
  const sendPart = (request: FastifyRequest, reply: FastifyReply): void | Promise<void> => {
    if (!mayRead(request)) return sendAnswer(request, reply, REFUSED);
    const bytes = relay.part((request.params as { digest: string }).digest);
    if (bytes === undefined) return sendAnswer(request, reply, NO_SUCH_PART);
    if (counts.receiving >= limits.receiving) return sendAnswer(request, reply, tooMany('receiving'));
    counts.receiving += 1;
    reply.raw.once('close', () => {
      counts.receiving -= 1;
    });
    return sendAnswer(request, reply, { status: 200, headers: PART_HEADERS, body: Body.uncompressed(bytes) });
  };
  return (app, _, done) => {
    app.get(PUBLICATION_PATH, (request, reply) => sendAnswer(request, reply, announce(request)));
    app.get(`${PUBLICATION_PATH}/:digest`, sendPart);
    done();
  };
}

const NOT_STORED: HeaderList = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
/** A digest names the same bytes for ever, for whoever may have them. */
const PART_HEADERS: HeaderList = [
  ...['Content-Type', 'application/octet-stream', 'Cache-Control', 'private, max-age=86400, immutable'],
  ...['X-Content-Type-Options', 'nosniff'],
];

const REFUSED = problemAnswer(
  problem(401, 'The publication is relayed to servers with our FOLLOW_TOKEN.', ['WWW-Authenticate', 'Bearer']),
  false,
);
const NO_SUCH_PART = problemAnswer(
  problem(404, 'There is no such part, or no longer: ask for the announcement.'),
  false,
);

function tooMany(what: keyof typeof MAX_FOLLOWERS): Answer {
  return problemAnswer(
    problem(503, 'Too many servers follow this one at once: follow one of them.', [
      'Retry-After',
      String(RETRY_SECONDS[what]),
    ]),
    false,
  );
}

function waitSecondsOf({ query }: FastifyRequest): number {
  const seconds = Number((query as { wait?: unknown }).wait);
  return seconds > 0 ? Math.min(seconds, MAX_WAIT_SECONDS) : 0;
}

const tagOf = ({ sent }: RelayedPublication) => `"${sent.digest}"`;

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
