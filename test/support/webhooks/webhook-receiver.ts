/** An address of a customer: verifies what is posted by the reference library, and answers as the test says. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';

export type ReceivedMessage = {
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test knows its shape
  readonly payload: any;
  readonly signatures: number;
};

export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  /** Without it nothing is verified. */
  secret: string | null = null;
  /** The status, with headers if any; `null` = none comes. */
  answer: (message: ReceivedMessage) => number | [status: number, headers: Record<string, string>] | null = () => 204;
  /** Told how to end an answer that does not come: with 204, or another status. */
  onHang: (end: (status?: number) => void) => void = () => undefined;
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
    server.on('request', async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const headers = request.headers as Record<string, string>;
      // Throws unless the signature fits.
      const payload = this.secret === null ? JSON.parse(body) : new Webhook(this.secret).verify(body, headers);
      const signatures = (headers['webhook-signature'] ?? '').split(' ').length;
      const message = { id: headers['webhook-id'] as string, payload, signatures };
      this.received.push(message);
      const answer = this.answer(message);
      if (answer === null) return this.onHang((status = 204) => response.writeHead(status).end());
      const [status, more] = Array.isArray(answer) ? answer : [answer, {}];
      response.writeHead(status, more).end();
    });
  }

  static async during(t: Pick<TestContext, 'after'>): Promise<WebhookReceiver> {
    const server = http.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return new WebhookReceiver(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}
