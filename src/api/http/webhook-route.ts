/** Where Stripe posts its events, as a Fastify plugin. An event is stored before its answer, and looked at later. */
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { WEBHOOK_PATH } from '../../domain/pages/billing-paths.ts';
import { DatabaseUnavailable } from '../../store/database-errors.ts';
import { Body } from '../encoding/body.ts';
import type { Answer } from '../response/answer.ts';
import { limitChunks } from './body-chunks.ts';
import { sendAnswer } from './reply.ts';

/**
 * Takes the bytes and the signature of an event; resolves with whether it was accepted. Rejects with
 * `DatabaseUnavailable` if it could not be stored: Stripe sends it again.
 */
export type ReceiveWebhook = (body: Buffer, signature: string) => Promise<boolean>;

/** Larger events are none that we asked for. */
const MAX_EVENT_BYTES = 256 * 1024;

export function webhookRoute(receive: ReceiveWebhook): FastifyPluginCallback {
  return (app, _, done) => {
    // The signature is of the bytes as they came, JSON or not.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, parsed) => parsed(null, bytes));
    app.post(WEBHOOK_PATH, {
      bodyLimit: MAX_EVENT_BYTES,
      preParsing: limitChunks,
      handler: async (request, reply) => sendAnswer(request, reply, await answerTo(request)),
    });
    done();
  };

  async function answerTo({ body, headers }: FastifyRequest): Promise<Answer> {
    const signature = headers['stripe-signature'];
    if (typeof signature !== 'string') return REFUSED;
    try {
      return (await receive((body as Buffer | undefined) ?? Buffer.alloc(0), signature)) ? ACCEPTED : REFUSED;
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return UNAVAILABLE;
      throw error;
    }
  }
}

/** Nobody but Stripe reads it, so it says nothing: least of all what was wrong. */
function emptyAnswer(status: number): Answer {
  const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];
  return { status, headers, body: Body.uncompressed(Buffer.from('{}')) };
}

const ACCEPTED = emptyAnswer(200);
const REFUSED = emptyAnswer(400);
const UNAVAILABLE = emptyAnswer(503);
