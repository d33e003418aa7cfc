/** A mail relay on loopback: a real SMTP server, which keeps what it accepts. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type MailRelay = {
  readonly url: URL;
  /** The accepted mails, as they were sent. */
  readonly received: string[];
  readonly server: SMTPServer;
  close(): void;
};

/** Starts a relay without TLS and passwords; `options` replace how it answers. */
export async function startRelay(options: SMTPServerOptions = {}): Promise<MailRelay> {
  const received: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      // A mail that breaks off was not received.
      text(stream).then((mail) => {
        received.push(mail);
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.server.address() as AddressInfo;
  return { url: new URL(`smtp://127.0.0.1:${port}`), received, server, close: () => server.close() };
}
