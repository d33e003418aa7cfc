/** A captcha verifier on loopback, which answers as a test programs it. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The answer to a good token. */
export const SUCCESS_ANSWER = {
  success: true,
  score: 0.9,
  action: 'review',
  challenge_ts: '2026-11-20T08:00:00Z',
  hostname: 'pompa.example.ro',
};

type VerifierRequest = { method: string; type: string; form: Record<string, string> };

export class CaptchaVerifier {
  /** Every request so far. */
  readonly requests: VerifierRequest[] = [];
  /** The answer to the next requests; an object is sent as JSON. */
  answer: object | ((response: ServerResponse) => void) = SUCCESS_ANSWER;
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
    server.on('request', async (request, response) => {
      const form = Object.fromEntries(new URLSearchParams(await text(request)));
      this.requests.push({ method: request.method ?? '', type: request.headers['content-type'] ?? '', form });
      const { answer } = this;
      if (typeof answer === 'function') answer(response);
      else response.setHeader('Content-Type', 'application/json; charset=utf-8').end(JSON.stringify(answer));
    });
  }

  static async start(): Promise<CaptchaVerifier> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CaptchaVerifier(server);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
