/** The answers most asked for, as bytes and headers that are ready to go, found by their exact address. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finish, type HeaderList, headersOf, wirable } from './answer.ts';
import type { Body, Bytes } from './body.ts';
import type { Edition } from './edition.ts';
import type { Endpoint } from './endpoint.ts';
import { ENCODINGS, type Encoding, negotiate } from './negotiation.ts';

type Form = { readonly headers: string[]; readonly bytes: Bytes };
type HotAnswer = {
  readonly takesKey: boolean;
  readonly common: HeaderList;
  readonly body: Body;
  readonly forms: Record<Encoding, Form>;
};

export class HotAnswers {
  readonly #byTarget: ReadonlyMap<string, HotAnswer>;

  private constructor(byTarget: ReadonlyMap<string, HotAnswer>) {
    this.#byTarget = byTarget;
  }

  /** Makes the answer of every hot endpoint as a request without parameters and key would get it, in every coding. */
  static async of(endpoints: readonly Endpoint[], edition: Edition): Promise<HotAnswers> {
    const hot = endpoints.filter((endpoint) => endpoint.hot);
    const entries = hot.map(async (endpoint) => [endpoint.path, await ready(endpoint, edition)] as const);
    return new HotAnswers(new Map(await Promise.all(entries)));
  }

  /** Answers the request if it is one of the hot ones; `false` = it is not. */
  answered(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, headers } = request;
    if (method !== 'GET' && method !== 'HEAD') return false;
    const hot = this.#byTarget.get(request.url as string);
    if (hot === undefined || headers.host === undefined) return false;
    if (hot.takesKey && headers['x-api-key'] !== undefined) return false;
    const form = hot.forms[negotiate(headers['accept-encoding'] as string | undefined).best];
    response.writeHead(200, form.headers);
    finish(request, response, form.bytes);
    return true;
  }

  /** Puts better brotli forms in place, one body after the other, until done or no longer wanted. */
  async improve(better: (plain: Buffer) => Promise<Buffer | null>): Promise<void> {
    for (const hot of this.#byTarget.values()) {
      const bytes = await better(hot.body.plain);
      if (bytes === null) return;
      // The smallest bodies come out larger at the best quality.
      if (bytes.length >= (await hot.body.in('br')).length) continue;
      hot.body.improve('br', bytes);
      hot.forms.br = formOf(hot.common, 'br', bytes);
    }
  }
}

async function ready(endpoint: Endpoint, edition: Edition): Promise<HotAnswer> {
  const { headers: common, body, status } = await endpoint.answer({ headers: {}, query: '', segments: {} }, edition);
  if (body === null || status !== 200) throw new Error(`${endpoint.path} cannot be hot: its plain answer is ${status}`);
  await body.prepare();
  const forms = await Promise.all(
    ENCODINGS.map(async (encoding) => {
      const bytes = await body.in(encoding);
      return [encoding, formOf(common, encoding, bytes)] as const;
    }),
  );
  const takesKey = endpoint.access.key !== 'none';
  return { takesKey, common, body, forms: Object.fromEntries(forms) as Record<Encoding, Form> };
}

function formOf(common: HeaderList, encoding: Encoding, bytes: Bytes): Form {
  return { headers: headersOf(common, encoding, bytes.length), bytes: wirable(bytes) };
}
