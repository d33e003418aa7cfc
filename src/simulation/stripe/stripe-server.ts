/** The simulated Stripe on loopback: its API, its pages of payment and a console of what happens to its customers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventDelivery } from './event-delivery.ts';
import { PaymentWorld } from './payment-world.ts';
import { StripeApi } from './stripe-api.ts';
import { answerPage } from './stripe-pages.ts';

export type SimulatedStripeOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Epoch ms; its own clock is ahead of it once somebody let time pass. */
  readonly clock: () => number;
  /** Where it keeps what it knows; without it, it forgets. */
  readonly file?: string;
};

export type SimulatedStripe = {
  readonly url: URL;
  readonly world: PaymentWorld;
  readonly delivery: EventDelivery;
  readonly api: StripeApi;
  close(): Promise<void>;
};

/** How often it looks what has fallen due, and posts again what was not accepted. */
const SETTLE_MS = 60_000;

/** Starts it on a free port of loopback; resolves once it listens. */
export async function startSimulatedStripe(options: SimulatedStripeOptions): Promise<SimulatedStripe> {
  const { secretKey, webhookSecret, clock, file } = options;
  const delivery = new EventDelivery(webhookSecret, clock);
  const kept = file === undefined ? null : readKept(file);
  const world = new PaymentWorld({ clock, onEvent: (event) => delivery.send(event), kept });
  let origin = '';
  const api = new StripeApi(
    world,
    secretKey,
    () => origin,
    () => delivery.url,
  );
  const server = createServer((request, response) => {
    respond(request, response)
      .catch(() => response.writeHead(500).end())
      .finally(() => file !== undefined && writeFileSync(file, JSON.stringify(world)));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const timer = setInterval(() => {
    world.settle();
    delivery.retry(world.state.events);
  }, SETTLE_MS);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname, search } = new URL(request.url ?? '/', origin);
    const method = request.method ?? 'GET';
    if (pathname.startsWith('/v1/')) {
      const asked = { method, path: pathname.slice(4), query: search.slice(1), body, headers: request.headers };
      const answer = api.answer(asked);
      response.writeHead(answer.status, answer.headers).end(answer.body);
      return;
    }
    world.settle();
    const page = answerPage({ world, delivery }, { method, path: pathname, query: search, body });
    // The redirect waits until the events were answered, as that of the real one does.
    if (page.status === 303) await delivery.idle();
    response.writeHead(page.status, page.headers).end(page.body);
  }

  return {
    url: new URL(origin),
    ...{ world, delivery, api },
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
