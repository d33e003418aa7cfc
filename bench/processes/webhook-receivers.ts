/** Receivers of webhooks on as many ports as the argument says: they answer at once, or, below `/slow`, never. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ReceiversReady = { readonly ports: readonly number[] };

const ports: number[] = [];
while (ports.length < Number(process.argv[2])) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.url !== '/slow') response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ports.push((server.address() as AddressInfo).port);
}
process.once('SIGTERM', () => process.exit());
process.send?.({ ports } satisfies ReceiversReady);
