/** The most requested answers as ready-made bytes, found by their exact address. */
import type { Endpoint } from '../../declaration/endpoint.ts';
import type { Body } from '../../encoding/body.ts';
import { ENCODINGS, type Encoding, negotiate } from '../../encoding/negotiation.ts';
import type { RenderedSnapshot } from '../../rendering/rendered-snapshot.ts';
import type { HeaderList } from '../../response/answer.ts';
import type { ParsedRequest } from './request-parser.ts';
import { CachedResponse } from './response-writer.ts';

/** An endpoint, as far as its answer without parameters needs it. */
export type PrerenderedEndpoint = Pick<Endpoint, 'access' | 'path' | 'prerendered' | 'defaultAnswer'>;

type PrerenderedResponse = {
  readonly headers: HeaderList;
  readonly body: Body;
  readonly byEncoding: Record<Encoding, CachedResponse>;
};

/** One snapshot with the bytes made from it: replaced together, so that a request never mixes two. */
export type ServedSnapshot = { readonly rendered: RenderedSnapshot; readonly prerendered: PrerenderedResponses };

export class PrerenderedResponses {
  /** By exact address: the answers without a limit. */
  readonly #byTarget: ReadonlyMap<string, PrerenderedResponse>;
  /** The bodies of all prerendered answers, limited ones too: compressed now, recompressed better later. */
  readonly #bodies: readonly Body[];

  private constructor(byTarget: ReadonlyMap<string, PrerenderedResponse>, bodies: readonly Body[]) {
    this.#byTarget = byTarget;
    this.#bodies = bodies;
  }

  /**
   * Renders the answer of every prerendered endpoint to a request without parameters and key, in every coding. The
   * answer with a key is compressed on demand: it is large, clients ask for few codings, and a new snapshot should not
   * wait for it.
   */
  static async render(
    endpoints: readonly PrerenderedEndpoint[],
    rendered: RenderedSnapshot,
  ): Promise<PrerenderedResponses> {
    const byTarget = new Map<string, PrerenderedResponse>();
    const bodies = new Set<Body>();
    for (const endpoint of endpoints.filter((each) => each.prerendered)) {
      const { access, path } = endpoint;
      const answerWithoutKey = await defaultAnswer(endpoint, rendered, false);
      await answerWithoutKey.body.compressAll();
      bodies.add(answerWithoutKey.body);
      if (access.key !== 'none') bodies.add((await defaultAnswer(endpoint, rendered, true)).body);
      if (access.withoutKey.weeklyCap === false) byTarget.set(path, await prerender(answerWithoutKey));
    }
    return new PrerenderedResponses(byTarget, [...bodies]);
  }

  /** The prerendered response to a simple read; `null` = it has none. */
  responseFor({ target, headers }: ParsedRequest): CachedResponse | null {
    if (headers['x-api-key'] !== undefined) return null;
    const prerendered = this.#byTarget.get(target);
    if (prerendered === undefined) return null;
    return prerendered.byEncoding[negotiate(headers['accept-encoding'] as string | undefined).best];
  }

  /** Swaps in smaller brotli forms, one body after the other, until done or aborted. */
  async recompress(compress: (plain: Buffer) => Promise<Buffer | null>): Promise<void> {
    for (const body of this.#bodies) {
      const bytes = await compress(body.plain);
      if (bytes === null) return;
      // The smallest bodies come out larger at the best quality: those keep their form.
      if (!body.replaceIfSmaller('br', bytes)) continue;
      for (const prerendered of this.#byTarget.values())
        if (prerendered.body === body)
          prerendered.byEncoding.br = new CachedResponse(200, prerendered.headers, 'br', bytes);
    }
  }
}

type DefaultAnswer = { readonly headers: HeaderList; readonly body: Body };

async function defaultAnswer(
  endpoint: PrerenderedEndpoint,
  rendered: RenderedSnapshot,
  fullSet: boolean,
): Promise<DefaultAnswer> {
  const { headers, body, status } = await endpoint.defaultAnswer(rendered, fullSet);
  if (body === null || status !== 200)
    throw new Error(`${endpoint.path} cannot be prerendered: its default answer is ${status}`);
  return { headers, body };
}

async function prerender({ headers, body }: DefaultAnswer): Promise<PrerenderedResponse> {
  const forms = await Promise.all(
    ENCODINGS.map(async (encoding) => {
      const bytes = await body.encoded(encoding);
      return [encoding, new CachedResponse(200, headers, encoding, bytes)] as const;
    }),
  );
  return { headers, body, byEncoding: Object.fromEntries(forms) as Record<Encoding, CachedResponse> };
}
