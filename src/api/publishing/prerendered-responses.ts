/** The answers most asked for, as bytes and headers that are ready to go, found by their exact address. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Endpoint } from '../declaration/endpoint.ts';
import type { Body, Bytes } from '../encoding/body.ts';
import { ENCODINGS, type Encoding, negotiate } from '../encoding/negotiation.ts';
import type { Edition } from '../rendering/rendered-snapshot.ts';
import type { SimpleRead } from '../request/request-parser.ts';
import { finish, type HeaderList, headersOf, wirable } from '../response/answer.ts';
import { KeptWire } from '../response/response-writer.ts';

type Form = { readonly headers: string[]; readonly bytes: Bytes; readonly wire: KeptWire };
type HotAnswer = {
  readonly common: HeaderList;
  readonly body: Body;
  readonly forms: Record<Encoding, Form>;
};

export class HotAnswers {
  /** By exact address: those that everybody may have at any time. */
  readonly #byTarget: ReadonlyMap<string, HotAnswer>;
  /** What they and the limited ones are made of: coded now, and better when there is time. */
  readonly #bodies: readonly Body[];

  private constructor(byTarget: ReadonlyMap<string, HotAnswer>, bodies: readonly Body[]) {
    this.#byTarget = byTarget;
    this.#bodies = bodies;
  }

  /**
   * Makes the answer of every hot endpoint to a request without parameters and key, in every coding. The one with a key
   * is coded when somebody asks for it: it is large, few codings are asked for, and no publication should wait for it.
   */
  static async of(endpoints: readonly Endpoint[], edition: Edition): Promise<HotAnswers> {
    const byTarget = new Map<string, HotAnswer>();
    const bodies = new Set<Body>();
    for (const endpoint of endpoints.filter((each) => each.hot)) {
      const { access, path } = endpoint;
      const common = await plain(endpoint, edition, false);
      await common.body.prepare();
      bodies.add(common.body);
      if (access.key !== 'none') bodies.add((await plain(endpoint, edition, true)).body);
      if (access.withoutKey.weeklyCap === false) byTarget.set(path, await hotAnswer(common));
    }
    return new HotAnswers(byTarget, [...bodies]);
  }

  /** Answers the request if it is one of the hot ones; `false` = it is not. */
  answered(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const hot = this.#byTarget.get(request.url as string);
    if (hot === undefined || headers.host === undefined) return false;
    if (headers['x-api-key'] !== undefined) return false;
    const form = hot.forms[negotiate(headers['accept-encoding'] as string | undefined).best];
    response.writeHead(200, form.headers);
    finish(request, response, form.bytes);
    return true;
  }

  /** The answer to a simple read, ready to be written; `null` = not one of the hot ones. */
  wireFor({ target, headers }: SimpleRead): KeptWire | null {
    if (headers['x-api-key'] !== undefined) return null;
    const hot = this.#byTarget.get(target);
    if (hot === undefined) return null;
    return hot.forms[negotiate(headers['accept-encoding'] as string | undefined).best].wire;
  }

  /** Puts better brotli forms in place, one body after the other, until done or no longer wanted. */
  async improve(better: (plain: Buffer) => Promise<Buffer | null>): Promise<void> {
    for (const body of this.#bodies) {
      const bytes = await better(body.plain);
      if (bytes === null) return;
      // The smallest bodies come out larger at the best quality.
      if (!body.improve('br', bytes)) continue;
      for (const hot of this.#byTarget.values()) if (hot.body === body) hot.forms.br = formOf(hot.common, 'br', bytes);
    }
  }
}

type Ready = { readonly headers: HeaderList; readonly body: Body };

async function plain(endpoint: Endpoint, edition: Edition, full: boolean): Promise<Ready> {
  const { headers, body, status } = await endpoint.plain(edition, full);
  if (body === null || status !== 200) throw new Error(`${endpoint.path} cannot be hot: its plain answer is ${status}`);
  return { headers, body };
}

async function hotAnswer({ headers: common, body }: Ready): Promise<HotAnswer> {
  const forms = await Promise.all(
    ENCODINGS.map(async (encoding) => {
      const bytes = await body.in(encoding);
      return [encoding, formOf(common, encoding, bytes)] as const;
    }),
  );
  return { common, body, forms: Object.fromEntries(forms) as Record<Encoding, Form> };
}

function formOf(common: HeaderList, encoding: Encoding, bytes: Bytes): Form {
  const sent = wirable(bytes);
  return {
    headers: headersOf(common, encoding, bytes.length),
    bytes: sent,
    wire: new KeptWire(200, common, encoding, sent),
  };
}
