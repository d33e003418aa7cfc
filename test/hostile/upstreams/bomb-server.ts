/** A register on loopback that gives the canary its answer and everything else a bomb. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CANARY } from '../../../src/sources/register/parsing/register-ids.ts';
import { byUnit } from '../../../src/sources/register/requests/targets.ts';
import type { Bomb } from './register-bombs.ts';

const HONEST = JSON.stringify({
  Stations: [{ id: 'R1', network: { id: 'PETROM', name: 'PETROM' }, addr: { uatid: '179132' } }],
  Products: [{ stationid: 'R1', price: 7.5, catprod: { id: 11 } }],
});

export type BombServer = {
  readonly url: string;
  arm(bomb: Bomb): void;
  /** How many bombs were sent. */
  sent(): number;
  close(): Promise<void>;
};

export async function startBombServer(): Promise<BombServer> {
  const canary = `/${byUnit(CANARY.siruta, CANARY.fuel)}`;
  let armed: Bomb | null = null;
  let sent = 0;
  const server = createServer((request, response) => {
    if (request.url === canary || armed === null) return response.end(HONEST);
    sent += 1;
    return response.writeHead(200, { 'content-encoding': armed.coding }).end(armed.packed);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm(bomb) {
      armed = bomb;
      sent = 0;
    },
    sent: () => sent,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
