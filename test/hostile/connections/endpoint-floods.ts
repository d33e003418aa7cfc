/** Requests of one address to every endpoint, as fast as a few connections can send them, each slightly different. */
import { RawConnection } from './raw-connection.ts';

export type EndpointFlood = {
  readonly name: string;
  readonly method?: 'GET' | 'POST';
  /** Of the request with that number. */
  readonly path: string | ((at: number, subjects: FloodSubjects) => string);
  /** Likewise the body of a POST, and its type; JSON if left out. */
  readonly body?: (at: number) => string;
  readonly type?: string;
  /** A further header of the request with that body, such as its signature. */
  readonly header?: (body: string) => string;
};

/** What the service under attack has pages of: the last segments of their addresses. */
export type FloodSubjects = { readonly cities: readonly string[]; readonly stations: readonly string[] };

const STATION = '0a1b2c3d4e5f';

const get = (name: string, path: EndpointFlood['path']): EndpointFlood => ({ name, path });
const post = (name: string, path: string, body: (at: number) => unknown): EndpointFlood => ({
  ...{ name, method: 'POST', path },
  body: (at) => JSON.stringify(body(at)),
});

/** What all floods are compared with. */
export const PLAIN_READ = get('/preturi/minime', () => '/api/v1/preturi/minime');

export const ENDPOINT_FLOODS: readonly EndpointFlood[] = [
  get('/preturi', (at) => `/api/v1/preturi?judet=${at % 2 ? 'CJ' : 'Bucure%C8%99ti'}`),
  get('/preturi, unknown counties', (at) => `/api/v1/preturi?judet=${'%EF%B7%BA'.repeat(99)}${at}`),
  get('/judete', (at) => `/api/v1/judete/${at % 2 ? 'CJ' : `nu-exista-${at}`}`),
  get('/retele', () => '/api/v1/retele'),
  get('/statii', (at) => `/api/v1/statii?lat=${44 + (at % 1e5) * 1e-5}&lon=26.1&raza=50`),
  get('/istoric', (at) => `/api/v1/statie/${at % 2 ? STATION : `s${at}`}/istoric?days=90`),
  get('/geocode', (at) => `/api/v1/geocode?q=${at % 2 ? 'a' : 'valea'}${at}`),
  post('/traseu/custom, known places', '/api/v1/traseu/custom', () => ({ start: 'Satu Mare', end: 'Constanța' })),
  post('/traseu/custom, unknown places', '/api/v1/traseu/custom', (at) => ({ start: `Craiovvaxx${at}`, end: 'x' })),
  post('/traseu/custom, letters of many names', '/api/v1/traseu/custom', (at) => ({
    start: `valeanerias${'abcdefghij'[at % 10]}`,
    end: 'x',
  })),
  post('/traseu/custom, long texts', '/api/v1/traseu/custom', (at) => ({ start: `${'\uFDFA'.repeat(2_000)}${at}` })),
  get('/cheie', (at) => `/api/v1/cheie?x=${at}`),
  get('/reviews', (at) => `/api/v1/reviews/petrom-iasi-${at.toString(16).padStart(12, '0')}`),
  post('/review', '/api/v1/review', (at) => ({ statie_slug: `x-y-${at.toString(16).padStart(12, '0')}`, rating: 5 })),
  get('/de-statii', (at) => `/api/v1/de-statii?lat=${50 + (at % 100) / 100}&lng=9`),
  get('/push/vapid-key', () => '/api/v1/push/vapid-key'),
  post('/push/subscribe', '/api/v1/push/subscribe', (at) => ({ endpoint: `https://x/${at}`, p256dh: 'x', auth: 'x' })),
  get('/health', () => '/api/v1/health'),
  get('/openapi.json', () => '/openapi.json'),
  get('/docs', (at) => `/docs?x=${at}`),
  get('unknown paths', (at) => `/api/v1/nu-exista/${at}`),
];

/** Where a flood goes, how wide it is, and who sends it. */
export type FloodTarget = {
  readonly port: number;
  readonly connections: number;
  /** All requests come from it. */
  readonly address: string;
  readonly subjects: FloodSubjects;
};

/**
 * Sends requests, one at a time on each connection, and opens another when the server has closed it, until stopped;
 * returns the number of answers.
 */
export async function flood(target: FloodTarget, flood: EndpointFlood, stopped: AbortSignal) {
  let at = 0;
  let answered = 0;
  const one = async () => {
    while (!stopped.aborted) {
      const connection = await RawConnection.open(target.port);
      for (let sent = 1; !stopped.aborted && connection.socket.writable; sent += 1) {
        at += 1;
        const { length } = await connection.send(bytesOf(flood, at, target)).answers(sent);
        if (length === sent) answered += 1;
      }
      await connection.leave();
    }
  };
  await Promise.all(Array.from({ length: target.connections }, one));
  return answered;
}

function bytesOf(
  { method = 'GET', path, body, type = 'application/json', header }: EndpointFlood,
  at: number,
  { address, subjects }: FloodTarget,
): string {
  const fields = [`Host: x`, `X-Forwarded-For: ${address}`];
  const payload = body?.(at);
  if (payload !== undefined) fields.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(payload)}`);
  if (header !== undefined && payload !== undefined) fields.push(header(payload));
  const target = typeof path === 'string' ? path : path(at, subjects);
  // As Latin-1, so that each byte of the body is one character.
  const bytes = payload === undefined ? '' : Buffer.from(payload).toString('latin1');
  return `${method} ${target} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${bytes}`;
}
