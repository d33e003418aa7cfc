/** Bounds the chunks of a body: a chunk of one byte costs as much as a large one, and one read may hold 10,000. */
import type { IncomingMessage } from 'node:http';
import { errorCodes, type preParsingHookHandler } from 'fastify';
import { MAX_CHUNKS } from './connection/connection-limits.ts';

/** Refuses a body of more chunks as too large (413) while it is read. Nothing more is read from its connection. */
export const limitChunks: preParsingHookHandler = ({ raw }, _, payload, done) => {
  if (raw.headers['transfer-encoding'] !== undefined) refuseFurtherChunks(raw);
  done(null, payload);
};

function refuseFurtherChunks(request: IncomingMessage): void {
  let chunks = 0;
  const count = () => {
    chunks += 1;
    if (chunks <= MAX_CHUNKS) return;
    request.off('data', count);
    request.socket.pause();
    // Fastify answers an error of the body that it reads.
    request.emit('error', new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
  };
  request.on('data', count);
}
