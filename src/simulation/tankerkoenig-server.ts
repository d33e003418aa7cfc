/** The simulated German source on loopback: answers like its `list.php`. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { simulatedGermanStations } from './country/german-stations.ts';

export type TankerkoenigServerOptions = {
  readonly seed: number;
  /** The current time, epoch ms. */
  readonly clock: () => number;
};

export type SimulatedTankerkoenig = {
  /** Its origin, as in `TANKERKOENIG_URL`. */
  readonly url: string;
  close(): Promise<void>;
};

const LARGEST_RADIUS_KM = 25;

/** Starts the source on a free port of loopback; resolves once it listens. */
export async function startSimulatedTankerkoenig(options: TankerkoenigServerOptions): Promise<SimulatedTankerkoenig> {
  const server = createServer((request, response) => {
    const answer = answerTo(request, options);
    const plain = Buffer.from(answer === null ? '<h1>404 Not Found</h1>' : JSON.stringify(answer));
    const zip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
    const body = zip ? gzipSync(plain) : plain;
    response.writeHead(answer === null ? 404 : 200, {
      'content-type': answer === null ? 'text/html' : 'application/json; charset=utf-8',
      'content-length': body.length,
      ...(zip && { 'content-encoding': 'gzip' }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** `null` = there is no such page. Errors have status 200, as from the source itself. */
function answerTo({ url = '/' }: IncomingMessage, { seed, clock }: TankerkoenigServerOptions): object | null {
  const [path, query] = url.split('?', 2);
  if (path !== '/json/list.php') return null;
  const sent = new URLSearchParams(query);
  const number = (name: string) => (sent.get(name) ? Number(sent.get(name)) : Number.NaN);
  if (!sent.get('apikey')) {
    const message = 'apikey nicht angegeben, bitte den Parameter "apikey" mit einem gültigen API-Key übergeben.';
    return { ok: false, message };
  }
  const [lat, lng, radiusKm] = [number('lat'), number('lng'), number('rad')];
  const inOrder = Math.abs(lat) <= 90 && Math.abs(lng) <= 180 && radiusKm > 0 && radiusKm <= LARGEST_RADIUS_KM;
  if (!inOrder || sent.get('type') !== 'all') return { ok: false, message: 'parameter error' };
  return {
    ok: true,
    license: 'CC BY 4.0 -  https://creativecommons.tankerkoenig.de',
    data: 'MTS-K',
    status: 'ok',
    stations: simulatedGermanStations(seed, { lat, lng }, radiusKm, clock()),
  };
}
