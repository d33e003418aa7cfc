/** A client of server-sent events that only collects what it gets. */
import http from 'node:http';

export type ReceivedEvent = { readonly id: string; readonly data: string };

export class EventClient {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly #response: http.IncomingMessage;
  readonly events: ReceivedEvent[] = [];
  /** Of the last block, with data or without. */
  lastId = '';
  comments = 0;
  isOver = false;
  #text = '';
  #changed = Promise.withResolvers<void>();

  private constructor(response: http.IncomingMessage) {
    this.status = response.statusCode ?? 0;
    this.headers = response.headers;
    this.#response = response;
    const over = () => {
      this.isOver = true;
      this.#notify();
    };
    response.setEncoding('utf8').on('data', (part: string) => this.#receive(part));
    response.on('end', over).on('error', over).on('close', over);
  }

  static connect(port: number, path: string, headers: http.OutgoingHttpHeaders = {}): Promise<EventClient> {
    return new Promise((resolve, reject) => {
      http
        .get({ host: '127.0.0.1', port, path, headers, agent: false })
        .on('response', (response) => resolve(new EventClient(response)))
        .on('error', reject);
    });
  }

  /** Resolves once the condition holds. */
  async until(holds: (client: EventClient) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.isOver) throw new Error('the stream is over');
      await this.#changed.promise;
    }
  }

  async untilOver(): Promise<void> {
    while (!this.isOver) await this.#changed.promise;
  }

  close(): void {
    this.#response.destroy();
  }

  #receive(part: string): void {
    this.#text += part;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      this.#readBlock(this.#text.slice(0, end));
      this.#text = this.#text.slice(end + 2);
    }
    this.#notify();
  }

  #readBlock(block: string): void {
    let data: string | null = null;
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) this.lastId = line.slice(4);
      else if (line.startsWith('data: ')) data = line.slice(6);
      else if (line.startsWith(':')) this.comments += 1;
    }
    if (data !== null) this.events.push({ id: this.lastId, data });
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
