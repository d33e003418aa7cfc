/** The German source on loopback, in its real format, which answers as a test programs it. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GermanSearchService } from '../../../src/api/endpoints/german-search.ts';

/** The German channel of a service whose operator has set no key for it. */
export const NO_GERMANY: GermanSearchService = { find: () => ({ kind: 'not configured' }) };

let callers = 0;
/** Identifies each request as one of a client and a network that have taken no part of the budget yet. */
export function identifyAsNew(): { client: string; network: string } {
  callers += 1;
  return { client: `client ${callers}`, network: `network ${callers}` };
}

/** A row as `list.php` returns it. */
export function aGermanRow(parts: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id: '5d1a0e34-7c7b-4a57-9a0f-3c1c2f0f5a11',
    name: 'ARAL Tankstelle',
    brand: 'ARAL',
    street: 'Lindenallee',
    place: 'Berlin',
    lat: 52.5241,
    lng: 13.4102,
    dist: 0.6,
    diesel: 1.659,
    e5: 1.789,
    e10: 1.729,
    isOpen: true,
    houseNumber: '12/14',
    postCode: 10_178,
    ...parts,
  };
}

/** A whole answer with these rows. */
export function aGermanList(rows: readonly unknown[] = [aGermanRow()]): Record<string, unknown> {
  return {
    ok: true,
    license: 'CC BY 4.0 -  https://creativecommons.tankerkoenig.de',
    data: 'MTS-K',
    status: 'ok',
    stations: rows,
  };
}

export class GermanSourceDouble {
  /** The queries of all requests so far, in order. */
  readonly queries: URLSearchParams[] = [];
  readonly userAgents: (string | undefined)[] = [];
  /** The answer to the next requests. */
  answer: RequestListener = json(aGermanList());
  readonly #server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (pathname !== '/json/list.php') return void response.writeHead(404).end();
    this.queries.push(searchParams);
    this.userAgents.push(request.headers['user-agent']);
    this.#onRequest?.();
    return this.answer(request, response);
  });
  #onRequest: (() => void) | undefined;

  static async start(): Promise<GermanSourceDouble> {
    const source = new GermanSourceDouble();
    source.#server.listen(0, '127.0.0.1');
    await once(source.#server, 'listening');
    return source;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the next request arrives. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRequest = resolve;
    });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

/** Answers with a value as JSON, or with bytes as they are. */
export function json(value: unknown, headers: Readonly<Record<string, string>> = {}): RequestListener {
  const body = Buffer.isBuffer(value) || typeof value === 'string' ? value : JSON.stringify(value);
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(body);
  };
}
