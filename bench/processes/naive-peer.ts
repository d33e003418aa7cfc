/**
 * The peer of `bench/naive.ts`: what one would write first, Fastify, a pool of connections to PostgreSQL, a query a
 * request, the answer as JSON. Reads its settings from the parent's message.
 */
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import pg from 'pg';

export type NaiveSettings = { readonly databaseUrl: string };
export type NaiveReady = { readonly port: number };

const CONNECTIONS = 10;
const KM_PER_DEGREE = 111.2;

const LOWEST = `select fuel, min(price) as min, avg(price)::int as mean, max(price) as max
  from naive_prices where price is not null group by fuel order by fuel`;
/** The box of an index first, then the distance on a plane. */
const NEAR = `select * from (
    select *, ${KM_PER_DEGREE} * sqrt(power(lat - $1, 2) + power((lng - $2) * cos(radians($1)), 2)) as km from naive_prices
    where lat between $1 - $3 / ${KM_PER_DEGREE} and $1 + $3 / ${KM_PER_DEGREE}
      and lng between $2 - $3 / (${KM_PER_DEGREE} * cos(radians($1))) and $2 + $3 / (${KM_PER_DEGREE} * cos(radians($1)))) as near
  where km <= $3 order by km`;

process.once('message', (settings: NaiveSettings) => void start(settings));

async function start({ databaseUrl }: NaiveSettings): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  const app = fastify();
  app.get('/minime', async () => (await pool.query({ name: 'lowest', text: LOWEST })).rows);
  app.get<{ Querystring: { lat: string; lon: string; raza: string } }>('/statii', async ({ query }) => {
    const values = [Number(query.lat), Number(query.lon), Number(query.raza)];
    return (await pool.query({ name: 'near', text: NEAR, values })).rows;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.once('SIGTERM', () => {
    app.close().then(() => pool.end());
  });
  process.send?.({ port: (app.server.address() as AddressInfo).port } satisfies NaiveReady);
}
