/** Header names in their usual letters: Fastify writes `content-type`, the fast path and most servers `Content-Type`. */
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response that writes `content-type` as `Content-Type`, so that an answer looks the same on both request paths. */
export class CanonicalResponse extends ServerResponse {
  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    if (typeof reason === 'string') return super.writeHead(status, reason, headers);
    for (const [name, value] of Object.entries(reason ?? {}))
      if (value !== undefined) this.setHeader(canonicalName(name), value);
    return super.writeHead(status);
  }
}

function canonicalName(name: string): string {
  return name.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()).replace('Ratelimit', 'RateLimit');
}
