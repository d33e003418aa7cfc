/**
 * The peer of `bench/metering.ts`: Fastify with `@fastify/rate-limit` over Redis, one window a key, which sends a ready
 * answer from memory. Reads its settings from the parent's message.
 */
import type { AddressInfo } from 'node:net';
import rateLimit from '@fastify/rate-limit';
import fastify from 'fastify';
import { Redis } from 'ioredis';

/** `plain` and `br` are the bodies, in base64. */
export type PeerSettings = { readonly redisPort: number; readonly plain: string; readonly br: string };
export type PeerReady = { readonly port: number };

/** No key of the benchmark comes near it: a refusal costs less than an answer. */
const MAX_REQUESTS = 1_000_000;

process.once('message', (settings: PeerSettings) => void start(settings));

async function start({ redisPort, plain, br }: PeerSettings): Promise<void> {
  const redis = new Redis({ port: redisPort, host: '127.0.0.1' });
  const app = fastify();
  await app.register(rateLimit, {
    redis,
    max: MAX_REQUESTS,
    timeWindow: '1 minute',
    keyGenerator: ({ headers }) => String(headers['x-api-key']),
  });
  const bodies = { plain: Buffer.from(plain, 'base64'), br: Buffer.from(br, 'base64') };
  const json = 'application/json; charset=utf-8';
  app.get('/plain', (_, reply) => reply.type(json).send(bodies.plain));
  app.get('/br', (_, reply) => reply.type(json).header('content-encoding', 'br').send(bodies.br));
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.once('SIGTERM', () => {
    app.close().then(() => redis.disconnect());
  });
  process.send?.({ port: (app.server.address() as AddressInfo).port } satisfies PeerReady);
}
