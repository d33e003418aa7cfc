/** Node's response with header names and a number of writes like those of the fast path. Fastify writes to it. */
import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { ServerResponse } from '../response/node-http.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** Bodies up to this size are sent as one string with their head: two buffers cost several times as much (measured). */
const SMALL_BODY_BYTES = 4_096;

/** A response that writes Fastify's `content-type` as `Content-Type`, and a small body together with its head. */
export class OutgoingResponse extends ServerResponse {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (typeof reason === 'string') return super.writeHead(status, reason, headers);
    const canonical: OutgoingHttpHeaders = {};
    for (const [name, value] of Object.entries(reason ?? {})) {
      // Set, not only written, so that `getHeader` returns later whether this was the connection's last response.
      if (name === 'connection') this.setHeader('Connection', value as string);
      else canonical[canonicalName(name)] = value;
    }
    return super.writeHead(status, canonical);
  }

  override end(body?: unknown, ...rest: unknown[]): this {
    const end = super.end as (...parts: unknown[]) => this;
    const small = Buffer.isBuffer(body) && body.length <= SMALL_BODY_BYTES;
    return small ? end.call(this, body.toString('latin1'), 'latin1') : end.call(this, body, ...rest);
  }
}

/** The service sends about two dozen header names. */
const canonicalNames = new Map<string, string>();

function canonicalName(name: string): string {
  let canonical = canonicalNames.get(name);
  if (canonical === undefined) {
    canonical = name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()).replace('Ratelimit', 'RateLimit');
    canonicalNames.set(name, canonical);
  }
  return canonical;
}
