/** Classifies an answer of the register before its rows are parsed. */
import type { Answer } from '../../source.ts';
import { type ParsedBody, parseJson } from './parse-json.ts';
import { parseXml } from './parse-xml.ts';

export type RegisterReply =
  | ParsedBody
  /** 500: a unit without a station for this fuel, or a register in trouble. The canary distinguishes them. */
  | { readonly kind: 'no-such' }
  /** Another status: 403, 404, … */
  | { readonly kind: 'refused'; readonly status: number }
  /** No answer at all, after the retries. */
  | { readonly kind: 'none'; readonly why: string };

/** Parses the answer's status and shape. The body decides between JSON and XML, not the header, which may be wrong. */
export function parseReply({ status, body }: Answer): RegisterReply {
  if (status === 500) return { kind: 'no-such' };
  if (status !== 200) return { kind: 'refused', status };
  const text = body.toString('utf8').replace(/^\u{feff}/u, '');
  return text.trimStart().startsWith('<') ? parseXml(text) : parseJson(text);
}
