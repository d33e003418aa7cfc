/**
 * The floor of `bench/http.ts`: reads from a socket and writes a ready answer, whatever it has read, on the runtime of
 * the service. The answer comes in the parent's message.
 */
import net, { type AddressInfo } from 'node:net';

/** `answer` is head and body, one character per byte. */
export type BareLoopSettings = { readonly answer: string };
export type BareLoopReady = { readonly port: number };

process.once('message', ({ answer }: BareLoopSettings) => {
  const server = net.createServer((socket) => {
    socket.setNoDelay();
    socket.on('data', () => socket.write(answer, 'latin1')).on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port } satisfies BareLoopReady);
  });
});
process.once('SIGTERM', () => process.exit());
