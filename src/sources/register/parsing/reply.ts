/** What an answer of the register means, before its rows are looked at. */
import type { Answer } from '../../source.ts';
import { type ParsedBody, parseJson } from './parse-json.ts';
import { parseXml } from './parse-xml.ts';

export type RegisterReply =
  | ParsedBody
  /** 500: a unit without a station for this fuel, or the register is ill. The canary tells which. */
  | { readonly kind: 'no-such' }
  /** Another status: 403, 404, … */
  | { readonly kind: 'refused'; readonly status: number }
  /** No answer at all, after the retries. */
  | { readonly kind: 'none'; readonly why: string };

/** Reads the answer's status and shape. The body decides between JSON and XML, not the header, which may be wrong. */
export function parseReply({ status, body }: Answer): RegisterReply {
  if (status === 500) return { kind: 'no-such' };
  if (status !== 200) return { kind: 'refused', status };
  const text = body.toString('utf8').replace(/^\u{feff}/u, '');
  return text.trimStart().startsWith('<') ? parseXml(text) : parseJson(text);
}
