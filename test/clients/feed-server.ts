/**
 * The feed of changes as its clients see it: pages after a cursor, waiting for the next change, 410 for a cursor from
 * before the feed began again. On a free port of loopback.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

type Filters = Readonly<Record<string, string>>;

export class FeedServer {
  readonly url: string;
  /** The query of every request. */
  readonly requests: Filters[] = [];
  readonly #server: http.Server;
  /** Of every change the county, by which a request may filter. */
  readonly #counties: string[] = [];
  #epoch = 1;
  /** How often a request is refused before it is answered. */
  #refusals = 0;
  readonly #waiting = new Set<() => void>();
  #whenAwaited: string | null = null;

  private constructor(server: http.Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', this.url);
      if (pathname === '/api/v1/statii') this.#answerStations(response);
      else this.#answerPage(Object.fromEntries(searchParams), response);
    });
  }

  static async start(): Promise<FeedServer> {
    const server = http.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FeedServer(server);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  append(...counties: readonly string[]): void {
    this.#counties.push(...counties);
    for (const answer of this.#waiting) answer();
  }

  /** Appends a change as soon as somebody waits for one. */
  appendWhenAwaited(county: string): void {
    this.#whenAwaited = county;
  }

  /** As after the restore of a backup: cursors from before are refused. */
  beginAgain(): void {
    this.#epoch += 1;
  }

  refuseNext(times: number): void {
    this.#refusals = times;
  }

  cursor(place: number): string {
    return `${this.#epoch}-${place}`;
  }

  #answerStations(response: http.ServerResponse): void {
    const body = { status: 'ok', data: '2026-11-26', actualizat_la: null, total: 0, statii: [] };
    send(response, 200, body, { 'Pompa-Cursor': this.cursor(this.#counties.length) });
  }

  #answerPage(query: Filters, response: http.ServerResponse): void {
    this.requests.push(query);
    if (this.#refusals > 0) {
      this.#refusals -= 1;
      send(response, 429, { status: 'error', message: 'Prea repede.', retry_after_seconds: 1 }, { 'Retry-After': '1' });
      return;
    }
    const after = query.dupa ?? this.cursor(0);
    if (!after.startsWith(`${this.#epoch}-`)) {
      send(response, 410, { status: 'error', message: 'Cursor vechi.', reia_de_la: this.cursor(0) });
      return;
    }
    const place = Number(after.split('-')[1]);
    if (place < this.#counties.length || query.asteapta === undefined) this.#send(place, query, response);
    else this.#wait(() => this.#send(place, query, response));
  }

  #wait(answer: () => void): void {
    const once = () => {
      this.#waiting.delete(once);
      answer();
    };
    this.#waiting.add(once);
    if (this.#whenAwaited !== null) this.append(this.#whenAwaited);
    this.#whenAwaited = null;
  }

  #send(place: number, { judet, limita = '1000' }: Filters, response: http.ServerResponse): void {
    const end = Math.min(this.#counties.length, place + Number(limita));
    const modificari = this.#counties
      .slice(place, end)
      .map((county, at) => ({ cursor: this.cursor(place + at + 1), fel: 'pret', judet: county, pret_nou: null }))
      .filter((change) => judet === undefined || change.judet === judet);
    const la_zi = end === this.#counties.length;
    send(response, 200, { status: 'ok', data: '2026-11-26', modificari, urmatorul: this.cursor(end), la_zi });
  }
}

function send(response: http.ServerResponse, status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
