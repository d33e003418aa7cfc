/** Servers on a free loopback port that stand in for a routing engine. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LoopbackServer = { readonly url: string; close(): Promise<void> };

/** Starts a server; closing it cuts every connection. */
export async function startLoopbackServer(
  listener: RequestListener,
  server: Server = createServer(),
): Promise<LoopbackServer> {
  server.on('request', listener);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
